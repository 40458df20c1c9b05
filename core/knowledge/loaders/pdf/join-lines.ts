const HYPHENATED = /(?<!\p{L})(\p{L}+)[-\u2010\u00ad]$/u;
const UNSPACED_END = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}、。，！？：；]$/u;
const UNSPACED_START =
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}、。，！？：；]/u;

/** Only this much of the joined text is searched for each line: searching all of it would take quadratic time. */
const MAX_WORD_CHARACTERS = 100;

/** Joins printed lines. A hyphen at a line end is removed unless `vocabulary` contains the hyphenated word. */
export function joinLines(lines: readonly string[], vocabulary: ReadonlySet<string>): string {
  return lines.reduce((text, line) => {
    if (text === '') return line;
    const tail = text.slice(-MAX_WORD_CHARACTERS);
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

/** Returns the words with a hyphen inside a line. */
export function hyphenatedWords(lines: readonly string[]): ReadonlySet<string> {
  return new Set(lines.flatMap((line) => line.toLowerCase().match(/(?<!\p{L})\p{L}+-\p{L}+/gu) ?? []));
}
