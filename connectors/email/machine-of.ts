import { isFromServer } from './bounce-of.ts';
import { headerOf, type Mail } from './mail.ts';

const nobody =
  /^(no[-_.]?reply|do[-_.]?not[-_.]?reply|donotreply|noreply[a-z\d]{0,40}|nicht[-_.]?antworten|ne[-_.]?pas[-_.]?repondre|no[-_.]?responder|non[-_.]?rispondere|bounces?|auto[-_.]?reply|autoresponder|listserv|majordomo)([-_.+][^@]*)?@/i;
const autoSubjects = [
  'auto(matic|mated)?[- ]?(reply|response|antwort)|out[- ]of[- ](the[- ])?office( auto[- ]?reply)?', // en
  'automatische antwort|abwesenheit(snotiz|snachricht)?|abwesend', // de
  'réponse automatique|absence du bureau', // fr
  'respuesta automática|fuera de la oficina', // es
  'risposta automatica|fuori sede', // it
  'automatisch antwoord|afwezig', // nl
  'resposta automática', // pt
  'autosvar|automatisk sva[rl]|automaattinen vastaus', // sv, da, no, fi
  'automatyczna odpowiedź|automatick[áé] odpov[eě][dď]i?|automatikus válasz|răspuns automat', // pl, cs, sk, hu, ro
  'автоответ|автоматический ответ|автоматична відповідь|αυτόματη απάντηση|otomatik (yanıt|cevap)', // ru, uk, el, tr
  '自动(回复|答复)|自動(回覆|返信|応答)|자동 ?(회신|응답)|תשובה אוטומטית|رد تلقائي', // zh, ja, ko, he, ar
].join('|');
const autoSubject = new RegExp(`^\\s*(${autoSubjects})\\s*[:：]`, 'iu');

/**
 * Why nobody answers this mail: it is from a machine, to which an answer is a beginning without end. Null where a person
 * seems to have written it.
 */
export function machineOf(mail: Mail): string | null {
  const submitted = headerOf(mail, 'auto-submitted')?.toLowerCase().split(';', 1)[0]?.trim();
  if (isFromServer(mail)) return 'message of a mail server';
  if (submitted !== undefined && submitted !== '' && submitted !== 'no') {
    return submitted === 'auto-generated' ? 'automatic message' : 'automatic reply';
  }
  if (isReport(mail)) return 'report of a mail program';
  if (mail.calendar?.method === 'REPLY') return 'answer to an invitation';
  if (mail.headers.some(([name]) => /^list-(id|unsubscribe|post|help|owner|archive)$/.test(name)))
    return 'mailing list';
  const precedence = headerOf(mail, 'precedence')?.toLowerCase().trim() ?? '';
  if (precedence === 'list') return 'mailing list';
  if (['bulk', 'junk', 'auto_reply'].includes(precedence)) return 'bulk mail';
  if (hasReplyMark(mail) || autoSubject.test(mail.subject)) return 'automatic reply';
  const answered = mail.replyTo[0] ?? mail.from;
  if (answered === null) return 'mail without a sender';
  return nobody.test(answered.address) ? 'sender who takes no answers' : null;
}

/** It asks that no machine answers it, which says nothing of who wrote it. */
export function wantsNoMachine(mail: Mail): boolean {
  const asked = headerOf(mail, 'x-auto-response-suppress')?.toLowerCase() ?? '';
  return /\b(all|oof|autoreply)\b/.test(asked);
}

/** From before there was a standard. */
function hasReplyMark(mail: Mail): boolean {
  if (['x-autoreply', 'x-autorespond', 'x-autoresponder'].some((name) => isYes(headerOf(mail, name))))
    return true;
  return headerOf(mail, 'x-auto-reply-from') !== null || headerOf(mail, 'x-mail-autoreply') !== null;
}

function isYes(value: string | null): boolean {
  return value !== null && !['', 'no', 'false', '0'].includes(value.trim().toLowerCase());
}

function isReport(mail: Mail): boolean {
  return /^\s*multipart\/report\b/i.test(headerOf(mail, 'content-type') ?? '');
}
