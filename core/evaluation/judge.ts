import { extractWordKeys } from '../answering/generated/word-keys.ts';
import type { Tier } from '../contract/answer.ts';
import { fold } from '../language/words.ts';

export const outcomes = ['right', 'unsure', 'wrong', 'refused', 'error'] as const;
export type Outcome = (typeof outcomes)[number];

/** The known facts about the right answer to a question. The first of accepted texts, document and said text decides. */
export interface Expectation {
  /** `nothing`: the documents hold no answer, and saying so is right. */
  readonly expects: 'answer' | 'nothing';
  /** Texts of which a right answer has one, upper and lower case and punctuation aside. */
  readonly accepted: readonly string[];
  readonly documentId: string | null;
  /** The last heading above the passage in the document; null for any. */
  readonly section: string | null;
  /** An answer in a person's words. */
  readonly said: string | null;
}

/** An answer to judge. */
export interface Given {
  readonly tier: Tier;
  readonly text: string;
  /** The passages that the answer rests on. */
  readonly used: readonly { readonly documentId: string; readonly section: string | null }[];
}

export interface Verdict {
  readonly outcome: Outcome;
  /** The reason in one sentence, for the people who keep the questions. */
  readonly because: string;
}

/** The verdict if there is no answer to judge. */
export const failedAnswer: Verdict = {
  outcome: 'error',
  because: 'The answer failed or took too long.',
};

/** The share of the words of `said` that a right answer has, besides all its numbers. */
const SAID_SHARE = 0.6;

/** Judges an answer by the known facts about the right one. An answer that says it is unsure counts as unsure if it is right. Pure. */
export function judge(expectation: Expectation, given: Given): Verdict {
  const { expects } = expectation;
  if (expects === 'nothing') {
    if (given.tier === 'none') return { outcome: 'right', because: 'No answer was given, as expected.' };
    const outcome = given.tier === 'maybe' ? 'unsure' : 'wrong';
    return { outcome, because: 'An answer was given, though none is known to be right.' };
  }
  if (given.tier === 'none') return { outcome: 'refused', because: 'No answer was given.' };
  const { isRight, because } = compare(expectation, given);
  if (!isRight) return { outcome: 'wrong', because };
  return { outcome: given.tier === 'maybe' ? 'unsure' : 'right', because };
}

function compare({ accepted, documentId, section, said }: Expectation, { text, used }: Given) {
  if (accepted.length > 0) {
    const answer = flatten(text);
    const isRight = accepted.some((wanted) => answer.includes(flatten(wanted)));
    return {
      isRight,
      because: isRight ? 'The answer has an accepted text.' : 'The answer has none of the accepted texts.',
    };
  }
  if (documentId !== null) {
    const fromDocument = used.filter((passage) => passage.documentId === documentId);
    if (fromDocument.length === 0)
      return { isRight: false, because: 'The answer rests on another document than the expected one.' };
    const isRight = section === null || fromDocument.some((passage) => passage.section === section);
    return {
      isRight,
      because: isRight
        ? 'The answer rests on the expected passage.'
        : 'The answer rests on another section of the expected document.',
    };
  }
  return compareWords(said ?? '', text);
}

function compareWords(said: string, text: string) {
  const given = new Set(extractWordKeys(text).map(({ hash }) => hash));
  const wanted = extractWordKeys(said);
  const missing = wanted.filter(({ hash }) => !given.has(hash));
  if (missing.some(({ counts }) => counts))
    return { isRight: false, because: 'A number of the expected answer is missing.' };
  const share = wanted.length === 0 ? 0 : 1 - missing.length / wanted.length;
  const percent = `${Math.round(share * 100)} %`;
  return {
    isRight: share >= SAID_SHARE,
    because: `The answer has all numbers and ${percent} of the words of the expected one.`,
  };
}

/** Letters and digits alone, so that spacing and punctuation do not matter. */
function flatten(text: string): string {
  return fold(text).replace(/[^\p{L}\p{N}]+/gu, '');
}
