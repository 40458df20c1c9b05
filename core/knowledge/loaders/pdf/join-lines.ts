const HYPHENATED = /(?<!\p{L})(\p{L}+)[-\u2010\u00ad]$/u;
const UNSPACED_END = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}、。，！？：；]$/u;
const UNSPACED_START =
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}、。，！？：；]/u;

/** Only the end of the text is read for each line: all of it would take quadratic time. */
const LONGEST_WORD = 100;

/** Joins printed lines to running text. A hyphen at a line end goes, unless `vocabulary` knows the word with it. */
export function joinLines(lines: readonly string[], vocabulary: ReadonlySet<string>): string {
  return lines.reduce((text, line) => {
    if (text === '') return line;
    const tail = text.slice(-LONGEST_WORD);
    const start = HYPHENATED.exec(tail)?.[1];
    const end = /^\p{Ll}+/u.exec(line)?.[0];
    if (start !== undefined && end !== undefined)
      return joinWord(text, line, vocabulary.has(`${start}-${end}`.toLowerCase()));
    return UNSPACED_END.test(tail) && UNSPACED_START.test(line) ? text + line : `${text} ${line}`;
  }, '');
}

function joinWord(text: string, line: string, keepsHyphen: boolean): string {
  return keepsHyphen ? text + line : text.slice(0, -1) + line;
}

/** The hyphenated words that stand within the lines. */
export function hyphenatedWords(lines: readonly string[]): ReadonlySet<string> {
  return new Set(lines.flatMap((line) => line.toLowerCase().match(/(?<!\p{L})\p{L}+-\p{L}+/gu) ?? []));
}
