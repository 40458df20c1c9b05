// This script prints what the engine makes of texts with one language more in the registry. It is a process of its
// own, because the product reads the registry when it is loaded.

import { registerHooks } from 'node:module';

const registry = new URL('../../../core/language/languages/index.ts', import.meta.url).href;
const replacement = new URL('./languages-with-georgian.ts', import.meta.url).href;

registerHooks({
  resolve(specifier, context, next) {
    const found = next(specifier, context);
    return found.url === registry && context.parentURL !== replacement
      ? { ...found, url: replacement }
      : found;
  },
});

const { isContactRequest, isRefusal } = await import(
  '../../../core/answering/skills/collect-lead/lead-requests.ts'
);
const { isHumanRequest } = await import(
  '../../../core/answering/skills/escalate-to-human/escalate-to-human.ts'
);
const { smallTalkReply } = await import('../../../core/answering/small-talk/replies.ts');
const { findSmallTalk } = await import('../../../core/answering/small-talk/small-talk.ts');
const { splitQuestions } = await import('../../../core/answering/understanding/split-questions.ts');
const { standaloneQuestion } = await import('../../../core/answering/understanding/standalone-question.ts');
const { translateWords } = await import('../../../core/answering/understanding/translate-words.ts');
const { detectLanguage } = await import('../../../core/language/language.ts');
const { fallbackMessage, findText, findTextLanguage } = await import(
  '../../../core/language/localised-texts.ts'
);
const { questionStopWords } = await import('../../../core/language/stop-words.ts');

const question = 'როდის არის გახსნილი?';
const occasion = { workspaceName: 'Shop', topics: [], offersPerson: false };

const results = {
  detected: detectLanguage(question).code,
  understood: {
    stopWord: questionStopWords('ka').has('როდის'),
    person: isHumanRequest('მინდა ადამიანთან საუბარი, რადგან პრობლემა მაქვს'),
    bare: isHumanRequest('ოპერატორი'),
    refusal: isRefusal('არა'),
    translation: translateWords('როდის გახსნილია', 'ka'),
    signIn: findText('signIn', 'ka'),
  },
  missing: {
    smallTalk: findSmallTalk('გამარჯობა', 'ka'),
    reply: smallTalkReply({ kind: 'okay', language: 'ka' }, occasion),
    contact: isContactRequest('დამირეკეთ'),
    questions: splitQuestions('როდის არის გახსნილი და სად?').length,
    followUp: standaloneQuestion('და ის?', [{ question, answer: null }]).followUp,
    fallback: fallbackMessage(question),
    handover: findTextLanguage('handover', 'ka'),
  },
  others: {
    greeting: findSmallTalk('Guten Tag', 'de'),
    person: isHumanRequest('Ich möchte mit einem Menschen sprechen'),
    chinese: detectLanguage('什么时候开门').code,
  },
};
process.stdout.write(JSON.stringify(results));
