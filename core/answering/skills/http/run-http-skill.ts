import { FetchError } from '../../../base/http-client.ts';
import type { Logger } from '../../../base/log.ts';
import type { Skill, SkillMoment, SkillOutcome } from '../../../contract/skill.ts';
import { type CallDependencies, callSkill } from './call-skill.ts';
import type { CallableSkill } from './http-skill-record.ts';
import { checkArguments, PatternError, SlowSchemaError } from './parameters.ts';
import { parseReply } from './read-reply.ts';

/** Wraps an HTTP skill for the engine. Only a model can call it: it has no trigger for the words of visitors. */
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
  /** HTTP status of the response; null if the server was not called or did not respond. */
  readonly status: number | null;
  /** Reason of the failure, for the skill's owner; null on success. */
  readonly error: string | null;
}

/** Runs a skill once. Failures become outcomes; only an abort of the moment's signal is thrown. */
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
    dependencies.log.warn({ ...describeSkill(skill), status }, 'skill response not understood');
    return {
      ...failed(moment),
      status,
      error: `The skill's server returned an unusable response (status ${status}).`,
    };
  } catch (error) {
    moment.signal.throwIfAborted();
    if (error instanceof PatternError || error instanceof SlowSchemaError) {
      dependencies.log.warn({ ...describeSkill(skill), reason: error.name }, 'skill schema unsupported');
      return {
        ...failed(moment),
        status: null,
        error: `${error.message} Change the parameters of the skill.`,
      };
    }
    const isFetchError = error instanceof FetchError;
    // The message of a FetchError contains the URL, which may hold a secret of the owner.
    const reason = isFetchError ? { reason: error.code } : { err: error };
    dependencies.log.warn({ ...describeSkill(skill), ...reason }, 'skill call failed');
    return {
      ...failed(moment),
      status: null,
      error: isFetchError ? describeFetchError(error) : 'The call failed with an internal error.',
    };
  }
}

function withoutCall(finding: string): HttpSkillResult {
  return { outcome: { reply: null, finding, effects: [] }, status: null, error: null };
}

function failed({ language }: SkillMoment): Pick<HttpSkillResult, 'outcome'> {
  return { outcome: { reply: failureMessage(language), finding: null, effects: [] } };
}

function describeFetchError({ code, message }: FetchError): string {
  return code === 'too_many_redirects'
    ? "The skill's server responded with a redirect. Redirects are not followed."
    : message;
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

/** Returns the text for a visitor after a skill failed, by ISO 639-1 code; English for other languages. */
export function failureMessage(language: string): string {
  return messages[language] ?? english;
}
