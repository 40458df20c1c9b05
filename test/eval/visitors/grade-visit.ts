import { plainText } from '../../../core/knowledge/passage.ts';
import { expectedOutcome, type Visit } from './visitor-message.ts';

/** `right` also stands for a question that is rightly refused. */
export type Grade = 'right' | 'half' | 'wrong' | 'refused';

/**
 * Grades a reply by the strings that it holds: all of `expect` and none of `forbid` is right, one of the two is half.
 * Small talk must be answered without sources. A question that the documents do not answer must be refused.
 */
export function gradeVisit({ message, answer, confidence, sources }: Visit): Grade {
  const isRefused = confidence === 'low';
  switch (expectedOutcome(message)) {
    case 'refusal':
      return isRefused ? 'right' : 'wrong';
    case 'small talk':
      if (isRefused) return 'refused';
      return sources.length === 0 ? 'right' : 'wrong';
    case 'answer': {
      if (isRefused) return 'refused';
      const { expect, exception, forbid } = message;
      const told = [...expect, ...exception].filter((text) => isTold(text, answer)).length;
      if (told === 0) return 'wrong';
      const isWhole = told === expect.length + exception.length;
      const isOther = forbid.some((text) => isTold(text, answer));
      if (isOther) return isWhole ? 'half' : 'wrong';
      return isWhole ? 'right' : 'half';
    }
  }
}

/** Returns whether a text holds one of the alternatives, whatever its markup and line ends. */
export function isTold(alternatives: string, text: string): boolean {
  const told = squeeze(text);
  return alternatives.split('|').some((alternative) => hasWords(told, squeeze(alternative)));
}

/** A short string such as `12` must not be found within `£129`. */
function hasWords(text: string, words: string): boolean {
  for (let at = text.indexOf(words); at !== -1; at = text.indexOf(words, at + 1)) {
    const before = text.charAt(at - 1);
    const after = text.charAt(at + words.length);
    const joins = (one: string, other: string) => /[\p{L}\p{N}]/u.test(one) && /[\p{L}\p{N}]/u.test(other);
    if (!joins(before, words.charAt(0)) && !joins(words.charAt(words.length - 1), after)) return true;
  }
  return false;
}

function squeeze(text: string): string {
  return text
    .toLowerCase()
    .replace(/[“”]/gu, '"')
    .replace(/[‘’]/gu, "'")
    .replace(/[*`|\\]/gu, ' ')
    .replace(/\s+/gu, ' ')
    .trim();
}

/** Faults of form, which no answer may have. */
export const faults = ['cut fence', 'trailing colon', 'cut list', 'points nowhere'] as const;

type Fault = (typeof faults)[number];

export function findFaults({ answer, sources }: Pick<Visit, 'answer' | 'sources'>): readonly Fault[] {
  const lines = answer.trimEnd().split('\n');
  const fences = lines.filter((line) => /^\s*(?:```|~~~)/u.test(line)).length;
  const last = lines.at(-1) ?? '';
  const found: Record<Fault, boolean> = {
    'cut fence': fences % 2 === 1,
    'trailing colon': lines.some((line, index) => /[:：]\s*$/u.test(line) && isLastOfPart(lines, index)),
    'cut list': sources.some((source) => cutsList(answer, source)),
    'points nowhere':
      /\b(?:described|shown|listed|given|explained|see|steps) below\b|\bas follows\b/iu.test(last) &&
      !/…|[:：]\s*$/u.test(last),
  };
  return faults.filter((fault) => found[fault]);
}

/** Answers to several questions stand below bold lines. */
function isLastOfPart(lines: readonly string[], index: number): boolean {
  const rest = lines.slice(index + 1).filter((line) => line.trim() !== '');
  return rest.length === 0 || /^\*\*.+\*\*$/u.test(rest[0] ?? '');
}

const NUMBERED = /^\d{1,3}[.)] /u;
const MARKER = /^(?:[-*+]|\d{1,3}[.)]) /u;

/** Whether the answer quotes some items of a numbered or announced list of the source without saying that more follow. */
function cutsList(answer: string, source: string): boolean {
  if (answer.includes('…')) return false;
  const lists = findLists(source.split('\n').filter((line) => line.trim() !== ''));
  return lists.some((items) => {
    const quoted = items.filter((item) => isTold(plainText(item.replace(MARKER, '')), answer)).length;
    // One item of a list may stand in another sentence.
    return quoted > 1 && quoted < items.length;
  });
}

/** Returns the items of each list that is only understood as a whole. */
function findLists(lines: readonly string[]): readonly (readonly string[])[] {
  const lists: string[][] = [];
  let open: string[] | null = null;
  for (const [index, line] of lines.entries()) {
    if (!MARKER.test(line)) {
      if (!/^\s/u.test(line)) open = null;
      continue;
    }
    if (open === null) {
      open = [];
      if (NUMBERED.test(line) || /[:：]$/u.test(lines[index - 1] ?? '')) lists.push(open);
    }
    open.push(line);
  }
  return lists;
}
