interface Kind {
  /** Looks ahead from where one may begin, as far as one may go. */
  readonly begun: RegExp;
  /** Whether it is one, without the signs that group it. */
  isOne(compact: string): boolean;
  readonly mask: string;
}

/** No small word: that belongs to the sentence. */
const LAST_GROUP = /(?<![\p{L}\p{N}])(?:\p{Lu}+|\p{L}*\p{N}[\p{L}\p{N}]*)$/u;
const SIGN = /[^\p{L}\p{N}]/gu;

/**
 * Masks what a checksum tells. More digits before or after it, such as a date, may look as if they belonged to it: from
 * every place where one may begin, the longest reading that passes the check counts; those that overlap become one.
 */
export function maskChecked(text: string, { begun, isOne, mask }: Kind): string {
  let masked = '';
  let done = 0;
  for (const { index, 1: found = '' } of text.matchAll(begun)) {
    const length = lengthsOf(text, index, found.length).find((each) =>
      isOne(text.slice(index, index + each).replace(SIGN, '')),
    );
    if (length === undefined) continue;
    if (index >= done) masked += text.slice(done, index) + mask;
    done = Math.max(done, index + length);
  }
  return masked + text.slice(done);
}

/** Those that end with a group, longest first. */
function lengthsOf(text: string, start: number, most: number): readonly number[] {
  const lengths = Array.from({ length: most }, (_, index) => most - index);
  return lengths.filter((length) => {
    const end = start + length;
    return !/^[\p{L}\p{N}]/u.test(text.slice(end)) && LAST_GROUP.test(text.slice(start, end));
  });
}
