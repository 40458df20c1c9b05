import { stripQuotes } from '../../../core/contract/mail/strip-quotes.ts';
import type { Mail } from './mail.ts';

/** Longer than any real question. */
const MAX_CHARACTERS = 20_000;

/** Returns the new text of a mail, with the subject if the mail starts a thread. */
export function messageText(mail: Mail): string {
  if (mail.isUnread) return mail.subject;
  const written = mail.text.trim() === '' ? mail.htmlText : mail.text;
  const text = written.trim() === '' ? (mail.calendar?.text ?? '') : written;
  const isReply = mail.inReplyTo.length > 0 || mail.references.length > 0 || isReplySubject(mail.subject);
  const newText = stripQuotes(text, { isReply, isForward: isForwardSubject(mail.subject) });
  const fullText = mail.begins && !isReply ? withSubject(newText, mail.subject) : newText;
  return fullText.length > MAX_CHARACTERS
    ? `${fullText.slice(0, MAX_CHARACTERS).toWellFormed()} […]`
    : fullText;
}

/** Many mails put the question into the subject and only thanks into the text. */
function withSubject(newText: string, subject: string): string {
  const plain = (text: string) =>
    text
      .toLowerCase()
      .replaceAll(/[\s\p{P}]+/gu, ' ')
      .trim();
  return plain(newText).startsWith(plain(subject)) ? newText : `${subject}\n\n${newText}`.trim();
}

/** The prefixes of replies and forwards in the languages of common mail programs. */
const REPLY_PREFIX =
  /^\s*(re|aw|antw|sv|vs|odp|ynt|rép|res|rif|r|atb|bls|vá|回复|回覆|答复|返信)\s*(?:(?:\[\d+\]|\(\d+\))\s*)?[:：]/i;
const FORWARD_PREFIX =
  /^\s*(fwd?|wg|tr|rv|i|enc|doorst|pd|vb|vs|fs|vl|tov|továbbítás|пересл|转发|轉寄|転送)\s*(?:(?:\[\d+\]|\(\d+\))\s*)?[:：]/i;

function isReplySubject(subject: string): boolean {
  return REPLY_PREFIX.test(subject);
}

function isForwardSubject(subject: string): boolean {
  return FORWARD_PREFIX.test(subject) && !REPLY_PREFIX.test(subject);
}

/** Returns a subject without reply prefixes. */
export function baseSubject(subject: string): string {
  let base = subject.replaceAll(/\s+/g, ' ').trim();
  while (REPLY_PREFIX.test(base)) base = base.replace(REPLY_PREFIX, '').trim();
  return base;
}

/** Whether two subjects are equal without their prefixes. */
export function isSameSubject(one: string, other: string): boolean {
  const plain = (subject: string) => {
    let base = subject;
    while (REPLY_PREFIX.test(base) || FORWARD_PREFIX.test(base))
      base = base.replace(REPLY_PREFIX, '').replace(FORWARD_PREFIX, '');
    return base.normalize('NFKC').toLowerCase().replaceAll(/\s+/g, ' ').trim();
  };
  return plain(one) === plain(other);
}
