import { htmlToText } from '../../contract/mail/html-to-text.ts';
import { stripQuotes } from '../../contract/mail/strip-quotes.ts';

/** Longer than any real question or reply. */
const MAX_TEXT = 8_000;
const MAX_HTML = 100_000;

/** Returns what the author of a message wrote, without quotations, signature and closing words. */
export function readOwnWords(text: string, { isReply = true } = {}): string {
  const own = stripQuotes(text.slice(0, MAX_TEXT).toWellFormed(), { isReply, isForward: false });
  return withoutClosing(own).trim();
}

/** The same for a message that is written in HTML. */
export function readOwnHtml(html: string, { isReply = true } = {}): string {
  return readOwnWords(htmlToText(html.slice(0, MAX_HTML)), { isReply });
}

/** Words that end a message. A name and an address follow them. */
const CLOSING = new RegExp(
  `^[\\s*_]{0,3}(?:${[
    '(?:with )?(?:kind(?:est)?|best|warm(?:est)?|many) (?:regards|wishes)|regards|best|cheers|sincerely|yours(?: sincerely| truly)?|all the best|thanks again|(?:many )?thanks|thank you', // en
    'mit (?:freundlichen|besten|lieben|herzlichen) gr(?:ü|ue)(?:ß|ss)en|(?:viele|liebe|beste|freundliche|herzliche|schöne) gr(?:ü|ue)(?:ß|ss)e|mfg|vielen dank|danke', // de
    '(?:bien )?cordialement|(?:bien à|meilleures salutations|salutations distinguées).{0,10}|merci d’avance|merci', // fr
    'un (?:cordial )?saludo|saludos(?: cordiales)?|atentamente|(?:muchas )?gracias', // es
    'cordiali saluti|distinti saluti|grazie(?: mille)?|met vriendelijke groet(?:en)?|groeten', // it, nl
    'atenciosamente|com os melhores cumprimentos|obrigad[oa]|pozdrawiam|z poważaniem', // pt, pl
  ].join('|')})[\\s,.!]{0,4}$`,
  'iu',
);
/** The most lines with text from the closing words on. */
const MAX_CLOSING_LINES = 9;
const MAX_CLOSING_CHARACTERS = 60;

function withoutClosing(text: string): string {
  const lines = text.split('\n');
  const from = Math.max(1, lines.length - 2 * MAX_CLOSING_LINES);
  for (let at = from; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    if (line.length > MAX_CLOSING_CHARACTERS || !CLOSING.test(line)) continue;
    const below = lines.slice(at).filter((one) => one.trim() !== '');
    const isShort = below.every((one) => one.length <= 2 * MAX_CLOSING_CHARACTERS);
    const above = lines.slice(0, at).join('\n');
    if (below.length <= MAX_CLOSING_LINES && isShort && above.trim() !== '') return above;
  }
  return text;
}
