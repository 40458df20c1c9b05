import { listParts } from '../../language/find-language.ts';

/** Sentences that say nothing, with which models open an answer, in lower case and without their end. */
const OPENERS = listParts(({ grammar }) => grammar?.openers).flat();
/** A full stop may belong to a number or a word: only a space after it ends a sentence. */
const OPENER_END = /^(?:[!.:]{1,3}\s+|[。！：]\s*|\n\s*)/u;
const END_MARKS = /[!.:。！：]{1,3}$/u;
const LONGEST = Math.max(...OPENERS.map(({ length }) => length));
/** `Sure! Great question!` */
const MAX_OPENERS = 3;

/** Returns whether the start of an answer may grow into an opener, or is one whose end is not certain. */
export function mayBeOpener(start: string): boolean {
  if (start.length > LONGEST + 1) return false;
  const spoken = asListed(start).replace(END_MARKS, '');
  return OPENERS.some((opener) => opener.startsWith(spoken));
}

/**
 * Returns an answer without the openers at its start. No passage supports them: they would hold the answer back until they
 * are complete, and be shown in part.
 */
export function withoutOpeners(answer: string): string {
  let rest = answer;
  for (let count = 0; count < MAX_OPENERS; count += 1) {
    const spoken = asListed(rest.slice(0, LONGEST));
    const ends = OPENERS.filter((opener) => spoken.startsWith(opener)).map((opener) => {
      const end = OPENER_END.exec(rest.slice(opener.length))?.[0];
      return end === undefined ? 0 : opener.length + end.length;
    });
    const end = Math.max(0, ...ends);
    if (end === 0) return rest;
    rest = rest.slice(end);
  }
  return rest;
}

function asListed(text: string): string {
  return text.toLowerCase().replaceAll('’', "'");
}
