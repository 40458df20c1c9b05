import type { PairReading } from '../embedding/thread-messages.ts';
import type { RankedChunk } from '../passage.ts';
import type { AnalysedQuestion } from '../ranking/analyse-question.ts';
import { searchRules } from '../rules.ts';
import weights from './decision.json' with { type: 'json' };

/** The weights of the order and of the confidence, which were fitted together with the reader. */
export interface ReaderDecision {
  readonly order: { readonly relevance: number; readonly cosine: number; readonly sentence: number };
  /** A logistic regression over the best sum and its lead over the second. */
  readonly confidence: { readonly best: number; readonly margin: number; readonly offset: number };
}

export const readerDecision: ReaderDecision = weights;

/** The lead of a passage that has no second. */
const LONE_MARGIN = 1;

interface FoundPassages {
  readonly question: Pick<AnalysedQuestion, 'language'>;
  readonly ranked: readonly RankedChunk[];
}

/**
 * Whether the reader can change what is answered. It reads English, it is trained beside vectors, a language model reads by
 * itself, and where the score is clear already it only costs time.
 */
export function needsReader(
  { question, ranked: [best] }: FoundPassages,
  { hasWriter }: { readonly hasWriter: boolean },
): boolean {
  if (hasWriter || question.language.class !== 'english' || best === undefined || best.cosine === null)
    return false;
  return best.score >= searchRules.readerFrom && best.score < searchRules.readerBelow;
}

/**
 * Puts the passages that were read in the reader's order, with the probability that they answer as their score. The first one
 * of the search stays first if no other is `readerLead` ahead. Those that were not read follow in the order they had. No score
 * is above that of the first.
 */
export function orderByReader<Found extends RankedChunk>(
  ranked: readonly Found[],
  readings: readonly (PairReading | null)[],
  { order, confidence }: ReaderDecision,
): readonly Found[] {
  const read = ranked.flatMap((passage, index) => {
    const reading = readings[index] ?? null;
    if (reading === null) return [];
    const { cosine, sentence } = passage.parts;
    const sum = order.relevance * reading.relevance + order.cosine * cosine + order.sentence * sentence;
    return [{ passage, sum, unitShares: reading.unitShares }];
  });
  const best = chooseFirst(read);
  if (best === undefined) return ranked;
  const others = read.filter((one) => one !== best).sort((one, other) => other.sum - one.sum);
  const [second] = others;
  const toProbability = (sum: number, margin: number) =>
    1 / (1 + Math.exp(-(confidence.best * sum + confidence.margin * margin + confidence.offset)));
  const first = toProbability(
    best.sum,
    second === undefined ? LONE_MARGIN : Math.max(0, best.sum - second.sum),
  );
  const unread = ranked.filter((_, index) => (readings[index] ?? null) === null);
  return [
    ...[best, ...others].map(({ passage, sum, unitShares }, place) => ({
      ...passage,
      score: place === 0 ? first : Math.min(first, toProbability(sum, 0)),
      unitShares,
    })),
    ...unread.map((passage) => ({ ...passage, score: Math.min(passage.score, first) })),
  ];
}

/** The first of the list has the best words and vectors: another one has to be clearly better. */
function chooseFirst<Read extends { readonly sum: number }>(read: readonly Read[]): Read | undefined {
  const [own] = read;
  const [top] = read.toSorted((one, other) => other.sum - one.sum);
  if (own === undefined || top === undefined) return undefined;
  return top.sum - own.sum < searchRules.readerLead ? own : top;
}
