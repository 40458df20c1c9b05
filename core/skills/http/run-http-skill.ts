import type { Skill, SkillMoment, SkillOutcome } from '../../contract/skill.ts';
import { FetchError } from '../../http-client.ts';
import type { Logger } from '../../log.ts';
import { type CallDependencies, callSkill } from './call-skill.ts';
import type { CallableSkill } from './http-skill-record.ts';
import { checkArguments, PatternError, SlowSchemaError } from './parameters.ts';
import { parseReply } from './read-reply.ts';

/** A skill that its owner's server carries out. Only a model calls it: no words of a visitor say what it is for. */
export function httpSkill(record: CallableSkill, dependencies: SkillDependencies): Skill {
  const { name, description, parameters, runsFor } = record;
  return {
    name,
    description,
    parameters,
    runsFor,
    trigger: () => null,
    run: async (given, moment) => (await runHttpSkill(dependencies, record, { given, moment })).outcome,
  };
}

export interface SkillDependencies extends CallDependencies {
  readonly log: Pick<Logger, 'warn'>;
}

interface SkillRun {
  readonly given: unknown;
  readonly moment: SkillMoment;
}

export interface HttpSkillResult {
  readonly outcome: SkillOutcome;
  /** What its server answered; null where it was not called or did not answer. */
  readonly status: number | null;
  /** Why it failed, for its owner; null where it did not. */
  readonly error: string | null;
}

/** Runs a skill once. Whatever goes wrong is an outcome; only an abort of the moment's signal is thrown. */
export async function runHttpSkill(
  dependencies: SkillDependencies,
  skill: CallableSkill,
  { given, moment }: SkillRun,
): Promise<HttpSkillResult> {
  try {
    if (skill.runsFor === 'verified' && moment.userId === null) {
      return withoutCall('Not done: this is for visitors who are signed in.');
    }
    const checked = checkArguments(skill, given);
    if ('finding' in checked) return withoutCall(checked.finding);
    const reply = await callSkill(dependencies, skill, { given: checked.given, moment });
    const read = parseReply(reply);
    const { status } = reply;
    if (read !== null) return { outcome: { ...read, effects: [] }, status, error: null };
    dependencies.log.warn({ ...describeSkill(skill), status }, 'a skill answered what is not understood');
    return { ...failed(moment), status, error: `The answer with status ${status} is not understood.` };
  } catch (error) {
    moment.signal.throwIfAborted();
    if (error instanceof PatternError || error instanceof SlowSchemaError) {
      dependencies.log.warn(
        { ...describeSkill(skill), reason: error.name },
        'skill has a schema that is not supported',
      );
      return {
        ...failed(moment),
        status: null,
        error: `${error.message} Change the parameters of the skill.`,
      };
    }
    const known = error instanceof FetchError;
    // Its message holds the address, and with it what the owner may have hidden there.
    const reason = known ? { reason: error.code } : { err: error };
    dependencies.log.warn({ ...describeSkill(skill), ...reason }, 'a skill could not be called');
    return {
      ...failed(moment),
      status: null,
      error: known ? succeeded(error) : 'Something went wrong here.',
    };
  }
}

function withoutCall(finding: string): HttpSkillResult {
  return { outcome: { reply: null, finding, effects: [] }, status: null, error: null };
}

function failed({ language }: SkillMoment): Pick<HttpSkillResult, 'outcome'> {
  return { outcome: { reply: failureMessage(language), finding: null, effects: [] } };
}

function succeeded({ code, message }: FetchError): string {
  return code === 'too_many_redirects' ? 'The answer is a redirect, which is not followed.' : message;
}

function describeSkill({ id, workspaceId }: CallableSkill) {
  return { skill: id, workspace: workspaceId };
}

const english = 'I could not do that just now. Please try again in a moment, or ask for a person.';

const messages: Readonly<Record<string, string>> = {
  en: english,
  de: 'Das konnte ich gerade nicht erledigen. Bitte versuchen Sie es gleich noch einmal, oder fragen Sie nach einem Menschen.',
  es: 'No he podido hacerlo en este momento. Inténtelo de nuevo dentro de un momento o pida hablar con una persona.',
  fr: "Je n'ai pas pu le faire pour l'instant. Réessayez dans un moment, ou demandez à parler à une personne.",
  it: 'Al momento non ho potuto farlo. Riprovi tra poco, o chieda di parlare con una persona.',
  pt: 'Não consegui fazer isso agora. Tente novamente dentro de momentos ou peça para falar com uma pessoa.',
  nl: 'Dat is me zojuist niet gelukt. Probeer het zo meteen opnieuw, of vraag naar een medewerker.',
  pl: 'Nie udało mi się teraz tego zrobić. Proszę spróbować ponownie za chwilę albo poprosić o rozmowę z człowiekiem.',
  sv: 'Jag kunde inte göra det just nu. Försök igen om en stund, eller be att få tala med en person.',
  ro: 'Nu am putut face asta acum. Încercați din nou peste câteva momente sau cereți să vorbiți cu o persoană.',
  tr: 'Bunu şu anda yapamadım. Lütfen birazdan yeniden deneyin ya da bir kişiyle görüşmek istediğinizi söyleyin.',
  vi: 'Tôi chưa thể làm việc đó lúc này. Vui lòng thử lại sau giây lát, hoặc yêu cầu gặp nhân viên.',
  ru: 'Сейчас у меня не получилось это сделать. Попробуйте ещё раз чуть позже или попросите связать вас с человеком.',
  uk: 'Зараз мені не вдалося це зробити. Спробуйте ще раз трохи згодом або попросіть зʼєднати вас з людиною.',
  el: 'Δεν μπόρεσα να το κάνω αυτή τη στιγμή. Δοκιμάστε ξανά σε λίγο ή ζητήστε να μιλήσετε με έναν άνθρωπο.',
  ar: 'لم أتمكن من القيام بذلك الآن. يرجى المحاولة مرة أخرى بعد قليل، أو طلب التحدث إلى شخص.',
  he: 'לא הצלחתי לעשות זאת כרגע. נסו שוב בעוד רגע, או בקשו לדבר עם נציג.',
  hi: 'यह अभी नहीं हो सका। कृपया थोड़ी देर में फिर कोशिश करें, या किसी व्यक्ति से बात करने के लिए कहें।',
  th: 'ขณะนี้ยังไม่สามารถทำสิ่งนั้นได้ โปรดลองอีกครั้งในอีกสักครู่ หรือขอพูดคุยกับเจ้าหน้าที่',
  zh: '我刚才没能完成这件事。请稍后再试，或者要求与人工客服交谈。',
  ja: 'ただいまその操作を行えませんでした。しばらくしてからもう一度お試しになるか、担当者との会話をご希望ください。',
  ko: '지금은 그 일을 처리하지 못했습니다. 잠시 후 다시 시도하시거나 상담원 연결을 요청해 주세요.',
};

/** What a visitor is told when a skill failed, in a language (an ISO 639-1 code); English where it is none of ours. */
export function failureMessage(language: string): string {
  return messages[language] ?? english;
}
