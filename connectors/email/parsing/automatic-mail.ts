import { findOwnMessageIds } from '../identifiers.ts';
import type { EmailAccount } from '../manifest.ts';
import { findHeader, type Mail } from './mail.ts';

const noReplyAddress =
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
 * Returns why a mail is not answered: a machine sent it, and answering it could start a loop. Returns null if a person
 * seems to have written it.
 */
export function automaticMailReason(mail: Mail): string | null {
  const submitted = findHeader(mail, 'auto-submitted')?.toLowerCase().split(';', 1)[0]?.trim();
  if (isFromMailServer(mail)) return 'message of a mail server';
  if (submitted !== undefined && submitted !== '' && submitted !== 'no') {
    return submitted === 'auto-generated' ? 'automatic message' : 'automatic reply';
  }
  if (isMailReport(mail)) return 'report of a mail program';
  if (mail.calendar?.method === 'REPLY') return 'reply to an invitation';
  if (mail.headers.some(([name]) => /^list-(id|unsubscribe|post|help|owner|archive)$/.test(name)))
    return 'mailing list';
  const precedence = findHeader(mail, 'precedence')?.toLowerCase().trim() ?? '';
  if (precedence === 'list') return 'mailing list';
  if (['bulk', 'junk', 'auto_reply'].includes(precedence)) return 'bulk mail';
  if (hasAutoReplyHeader(mail) || autoSubject.test(mail.subject)) return 'automatic reply';
  const answered = mail.replyTo[0] ?? mail.from;
  if (answered === null) return 'mail without a sender';
  return noReplyAddress.test(answered.address) ? 'no-reply sender' : null;
}

/**
 * Whether the mail suppresses automatic replies. People's programs set this header too, so it does not mark a machine.
 */
export function asksForNoAutoReply(mail: Mail): boolean {
  const asked = findHeader(mail, 'x-auto-response-suppress')?.toLowerCase() ?? '';
  return /\b(all|oof|autoreply)\b/.test(asked);
}

/** Headers from before RFC 3834. */
function hasAutoReplyHeader(mail: Mail): boolean {
  if (['x-autoreply', 'x-autorespond', 'x-autoresponder'].some((name) => isYes(findHeader(mail, name))))
    return true;
  return findHeader(mail, 'x-auto-reply-from') !== null || findHeader(mail, 'x-mail-autoreply') !== null;
}

function isYes(value: string | null): boolean {
  return value !== null && !['', 'no', 'false', '0'].includes(value.trim().toLowerCase());
}

function isMailReport(mail: Mail): boolean {
  return /^\s*multipart\/report\b/i.test(findHeader(mail, 'content-type') ?? '');
}

interface Bounce {
  /** Our Message-IDs that were not delivered. */
  readonly messageIds: readonly string[];
  /** The reason, in the words of the refusing server. */
  readonly because: string;
}

const MAX_REASON_CHARS = 300;

/** Lines above the copy of the returned mail, of servers that do not use RFC 3464. */
const returnedCopyMark =
  /^(-{2,}\s*(this is a copy of|below this line is a copy|original message follows|the header of the original|forwarded message|original message|undeliverable message)|received: )/im;
const delaySubject =
  /delay|warning: (message|could not)|still (being )?(retr|try)|verz(ö|oe)ger|retard|retrasad|ritard|vertraag|atras|opóźni/i;

/**
 * Parses the report of a mail server that one of our mails was not delivered; returns null for all other mails. It is
 * recognised by our Message-ID, which cannot be forged, in a report of any form (RFC 3464, Exim, qmail, Exchange,
 * WorkMail).
 */
export function parseBounce(mail: Mail, account: EmailAccount): Bounce | null {
  if (!isFromMailServer(mail)) return null;
  const reportText = [...mail.reports.map(({ text }) => text), mail.text || mail.html].join('\n');
  const referencedIds = [...mail.inReplyTo, ...mail.references].map((id) => `<${id}>`).join(' ');
  const found = findOwnMessageIds(reportText, account);
  const ids = found.length > 0 ? found : findOwnMessageIds(referencedIds, account);
  if (ids.length === 0 || isDelayNotice(mail)) return null;
  return { messageIds: ids.map(({ id }) => id), because: bounceReason(mail) };
}

export function isFromMailServer(mail: Pick<Mail, 'from' | 'headers' | 'reports'>): boolean {
  const sender = mail.from?.address.toLowerCase() ?? '';
  return (
    mail.reports.some(({ type }) => type === 'message/delivery-status') ||
    findHeader(mail, 'x-failed-recipients') !== null ||
    findHeader(mail, 'return-path')?.trim() === '<>' ||
    /^(mailer-daemon|postmaster|mail-daemon|maildaemon|microsoftexchange[0-9a-f]*)@/.test(sender)
  );
}

/** A server that still retries has not given up. */
function isDelayNotice(mail: Mail): boolean {
  const actions = reportFields(mail, 'action').map((action) => action.toLowerCase());
  if (actions.length > 0) return !actions.includes('failed');
  const statuses = reportFields(mail, 'status');
  if (statuses.length > 0) return statuses.every((status) => !status.startsWith('5'));
  return delaySubject.test(mail.subject);
}

function bounceReason(mail: Mail): string {
  const diagnostic = reportFields(mail, 'diagnostic-code')
    .map((code) => code.replace(/^[\w-]+\s*;\s*/, ''))
    .find((code) => code !== '');
  const status = reportFields(mail, 'status').find((code) => code.startsWith('5'));
  const words = diagnostic ?? firstReasonLine(mail) ?? (status && `status ${status}`) ?? mail.subject;
  return (
    words.replaceAll(/\s+/g, ' ').trim().slice(0, MAX_REASON_CHARS) || 'The mail could not be delivered.'
  );
}

/** Returns the values of a field of the machine-readable report. Joins folded lines. */
function reportFields({ reports }: Mail, name: string): readonly string[] {
  return reports
    .filter(({ type }) => type === 'message/delivery-status')
    .flatMap(({ text }) => text.replaceAll(/\r?\n[ \t]+/g, ' ').split('\n'))
    .flatMap((line) => {
      const at = line.indexOf(':');
      return line.slice(0, at).trim().toLowerCase() === name ? [line.slice(at + 1).trim()] : [];
    });
}

/** Returns the line of the human-readable report that contains the status code. */
function firstReasonLine({ text }: Mail): string | null {
  const copy = returnedCopyMark.exec(text)?.index ?? text.length;
  const lines = text.slice(0, copy).split('\n');
  const coded = lines.find((line) =>
    /(^|[\s#(:])5\d\d[\s-]+#?(5\.\d+\.\d+)?|[\s#(]5\.\d{1,3}\.\d{1,3}\b/.test(line),
  );
  return coded?.trim() ?? null;
}
