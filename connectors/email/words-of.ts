import { htmlText } from './html-text.ts';
import type { Mail } from './mail.ts';
import { newText } from './new-text.ts';
import { isAnswer, isForward } from './subject.ts';

/** More than any question is long. */
const MAX_CHARACTERS = 20_000;

/** What a mail says that was not said before, with its subject where that is the beginning of it. */
export function wordsOf(mail: Mail): string {
  if (mail.isUnread) return mail.subject;
  const written = mail.text.trim() === '' ? (mail.htmlText ?? htmlText(mail.html)) : mail.text;
  const text = written.trim() === '' ? (mail.calendar?.text ?? '') : written;
  const isReply = mail.inReplyTo.length > 0 || mail.references.length > 0 || isAnswer(mail.subject);
  const said = newText(text, { isReply, isForward: isForward(mail.subject) });
  const words = mail.begins && !isReply ? withSubject(said, mail.subject) : said;
  return words.length > MAX_CHARACTERS ? `${words.slice(0, MAX_CHARACTERS).toWellFormed()} […]` : words;
}

/** Many a question stands in the subject, and only thanks below it. */
function withSubject(said: string, subject: string): string {
  const plain = (text: string) =>
    text
      .toLowerCase()
      .replaceAll(/[\s\p{P}]+/gu, ' ')
      .trim();
  return plain(said).startsWith(plain(subject)) ? said : `${subject}\n\n${said}`.trim();
}
