interface Headed {
  /** Names in lower case, in the order of the mail. */
  readonly headers: readonly (readonly [name: string, value: string])[];
}

interface Address {
  readonly address: string;
}

/** The parts of a mail that tell whether a machine sent it. */
interface ReceivedMail extends Headed {
  readonly from: Address | null;
  readonly replyTo: readonly Address[];
  readonly subject: string;
  readonly calendar: { readonly method: string } | null;
  /** Reports of a mail server about another mail. */
  readonly reports: readonly { readonly type: string }[];
}

export function findHeader({ headers }: Headed, name: string): string | null {
  return headers.find(([key]) => key === name)?.[1] ?? null;
}

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
export function automaticMailReason(mail: ReceivedMail): string | null {
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

/** Headers from before RFC 3834. */
function hasAutoReplyHeader(mail: Headed): boolean {
  if (['x-autoreply', 'x-autorespond', 'x-autoresponder'].some((name) => isYes(findHeader(mail, name))))
    return true;
  return findHeader(mail, 'x-auto-reply-from') !== null || findHeader(mail, 'x-mail-autoreply') !== null;
}

function isYes(value: string | null): boolean {
  return value !== null && !['', 'no', 'false', '0'].includes(value.trim().toLowerCase());
}

function isMailReport(mail: Headed): boolean {
  return /^\s*multipart\/report\b/i.test(findHeader(mail, 'content-type') ?? '');
}

export function isFromMailServer(mail: Pick<ReceivedMail, 'from' | 'headers' | 'reports'>): boolean {
  const sender = mail.from?.address.toLowerCase() ?? '';
  return (
    mail.reports.some(({ type }) => type === 'message/delivery-status') ||
    findHeader(mail, 'x-failed-recipients') !== null ||
    findHeader(mail, 'return-path')?.trim() === '<>' ||
    /^(mailer-daemon|postmaster|mail-daemon|maildaemon|microsoftexchange[0-9a-f]*)@/.test(sender)
  );
}
