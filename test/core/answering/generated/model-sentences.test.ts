import { describe, expect, test } from 'vitest';
import { SentenceSupport } from '../../../../core/answering/generated/sentence-support.ts';
import data from './model-sentences.json' with { type: 'json' };

interface Passage {
  readonly title: string;
  readonly headings: readonly string[];
  readonly text: string;
}

interface Sentence {
  readonly passage: string;
  readonly question: string;
  readonly sentence: string;
  readonly right: boolean;
  /** The part of the unit that says the same as a right sentence. */
  readonly unit?: string;
  /** Whether the model cites the passage. */
  readonly cited?: boolean;
}

function count(passages: Readonly<Record<string, Passage>>, sentences: readonly Sentence[]) {
  const ids = Object.keys(passages);
  const given = Object.entries(passages).map(([chunkId, passage]) => ({
    ...passage,
    ...{ chunkId, documentId: 'doc_1', url: null, score: 0.9 },
  }));
  const judged = sentences.map(({ question, sentence, passage, cited = true, unit, right }) => {
    const numbers = cited ? [ids.indexOf(passage) + 1] : [];
    const { verdict, nearest } = new SentenceSupport({ question, passages: given }).judge(sentence, numbers);
    const isShown = verdict !== 'unsupported';
    return {
      right,
      isShown,
      isKept: isShown || (unit !== undefined && nearest?.text.includes(unit) === true),
    };
  });
  const right = judged.filter((one) => one.right);
  const wrong = judged.filter((one) => !one.right);
  return {
    right: right.length,
    /** Right sentences that are shown, either unchanged or replaced by the unit that says the same. */
    kept: right.filter(({ isKept }) => isKept).length,
    wrong: wrong.length,
    shown: wrong.filter(({ isShown }) => isShown).length,
  };
}

/** The check was written with the sentences of `tuned`; those of `held` were written after it, and it was not changed for them. */
const sets: readonly (readonly [string, Readonly<Record<string, Passage>>, readonly Sentence[]])[] = [
  ['English', data.passages, [...data.tuned, ...data.held]],
  ['German', data.german.passages, data.german.sentences],
];

describe.each(sets)('sentences as small models write them in %s', (_, passages, sentences) => {
  const counts = count(passages, sentences);

  test('are kept, or replaced by what the passage says, in nine of ten cases if they are right', () => {
    expect(counts.right).toBeGreaterThanOrEqual(6);
    expect(counts.kept / counts.right).toBeGreaterThanOrEqual(0.9);
  });

  test('are let through in one of ten cases at most if they are wrong', () => {
    expect(counts.wrong).toBeGreaterThanOrEqual(6);
    expect(counts.shown / counts.wrong).toBeLessThanOrEqual(0.1);
  });
});
