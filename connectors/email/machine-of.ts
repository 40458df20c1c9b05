import { isFromServer } from './bounce-of.ts';
import { headerOf, type Mail } from './mail.ts';

const nobody =
  /^(no[-_.]?reply|do[-_.]?not[-_.]?reply|donotreply|noreply[-_.+]?\w*|nicht[-_.]?antworten|ne[-_.]?pas[-_.]?repondre|no[-_.]?responder|non[-_.]?rispondere|bounces?|auto[-_.]?reply|autoresponder|listserv|majordomo)([-_.+][^@]*)?@/i;
const autoSubject =
  /^\s*(auto(matic)?[- ]?(reply|response|antwort)|automatische antwort|out of (the )?office|abwesenheit(snotiz)?|réponse automatique|respuesta automática|risposta automatica|automatisch antwoord|resposta automática|autosvar|automatyczna odpowiedź)\s*:/i;

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
