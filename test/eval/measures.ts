import { stemmer } from 'stemmer';
import { STOP_WORDS } from '../../core/language/stop-words.ts';
import type { EvalQuestion } from './question-set.ts';

/** A retrieved passage with its document's id in the question set. */
export interface Retrieved {
  readonly doc: string;
  readonly text: string;
}

/** The product's response to one question. */
export interface Observation {
  readonly question: EvalQuestion;
  readonly retrieved: readonly Retrieved[];
  readonly answer: string;
  readonly confidence: string;
  /** The calibrated score of the best passage. */
  readonly score: number;
}

export interface Measures {
  readonly answerable: number;
  readonly unanswerable: number;
  readonly recall1: number;
  readonly recall5: number;
  readonly mrr: number;
  readonly ndcg: number;
  readonly answered: number;
  readonly falseAnswers: number;
  readonly nearMissAnswers: number;
  readonly auroc: number;
  /** F1 of `confidence: low` as a classifier of unanswerable questions. */
  readonly f1: number;
  readonly containment: number;
  readonly characters: number;
}

export function measure(observations: readonly Observation[]): Measures {
  const answerable = observations.filter(({ question }) => question.kind === 'answerable');
  const outside = observations.filter(({ question }) => question.kind === 'out-of-index');
  const nearMisses = observations.filter(({ question }) => question.kind === 'near-miss');
  const ranks = answerable.map(findRank);
  const answered = answerable.filter(isAnswered);
  const withAnswers = answerable.filter(({ question }) => (question.answers ?? []).length > 0);
  return {
    answerable: answerable.length,
    unanswerable: outside.length,
    recall1: share(ranks, (rank) => rank === 1),
    recall5: share(ranks, (rank) => rank <= 5),
    mrr: mean(ranks.map((rank) => (rank <= 10 ? 1 / rank : 0))),
    ndcg: mean(ranks.map((rank) => (rank <= 10 ? 1 / Math.log2(rank + 1) : 0))),
    answered: answered.length / answerable.length,
    falseAnswers: share(outside, isAnswered),
    nearMissAnswers: share(nearMisses, isAnswered),
    auroc: auroc(
      answerable.map(({ score }) => score),
      outside.map(({ score }) => score),
    ),
    f1: f1(answerable, outside),
    containment: share(withAnswers, holdsAnswer),
    characters: mean(answered.map(({ answer }) => answer.length)),
  };
}

/** Returns each measure minus the earlier one. */
export function difference(now: Measures, before: Measures): Measures {
  const changes = { ...now };
  const earlier = new Map(Object.entries(before));
  for (const [name, value] of Object.entries(now))
    Object.assign(changes, { [name]: value - (earlier.get(name) ?? 0) });
  return changes;
}

function isAnswered(observation: Observation): boolean {
  return observation.confidence !== 'low';
}

/** Returns the rank of the first right passage from 1, or infinity. */
function findRank({ question, retrieved }: Observation): number {
  const index = retrieved.findIndex((passage) => isGold(question, passage));
  return index === -1 ? Number.POSITIVE_INFINITY : index + 1;
}

function isGold(question: EvalQuestion, passage: Retrieved): boolean {
  if (question.evidence === undefined) return passage.doc === question.doc;
  return question.evidence.some(
    (evidence) => evidence.doc === passage.doc && holdsEvidence(question, evidence.text, passage),
  );
}

/** True if the passage contains at least 80 % of the evidence's words and every word of one answer. */
function holdsEvidence(question: EvalQuestion, evidence: string, passage: Retrieved): boolean {
  const words = new Set(stems(passage.text));
  const evidenceWords = [...new Set(stems(evidence))];
  const matched = evidenceWords.filter((word) => words.has(word)).length;
  const answers = question.answers ?? [];
  const answered =
    answers.length === 0 || answers.some((answer) => stems(answer).every((word) => words.has(word)));
  return matched >= 0.8 * evidenceWords.length && answered;
}

/** Does not use the product's analyser (except its stop words), so that its changes do not change the measures. */
function stems(text: string): string[] {
  const words = text.toLowerCase().split(/[^\p{L}\p{N}]+/u);
  return words.filter((word) => word !== '' && !STOP_WORDS.has(word)).map(stemmer);
}

function holdsAnswer({ question, answer, confidence }: Observation): boolean {
  if (confidence === 'low') return false;
  const squeezedAnswer = squeeze(answer);
  return (question.answers ?? []).some((accepted) => squeezedAnswer.includes(squeeze(accepted)));
}

function squeeze(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
}

/** Returns the probability that an answerable question scores higher than an unanswerable one. */
function auroc(positive: readonly number[], negative: readonly number[]): number {
  if (positive.length === 0 || negative.length === 0) return Number.NaN;
  let wins = 0;
  for (const one of positive) for (const other of negative) wins += one > other ? 1 : one === other ? 0.5 : 0;
  return wins / (positive.length * negative.length);
}

function f1(answerable: readonly Observation[], outside: readonly Observation[]): number {
  const caught = outside.filter((observation) => !isAnswered(observation)).length;
  const wrong = answerable.filter((observation) => !isAnswered(observation)).length;
  const missed = outside.length - caught;
  return (2 * caught) / (2 * caught + wrong + missed);
}

function share<Item>(items: readonly Item[], holds: (item: Item) => boolean): number {
  return items.length === 0 ? Number.NaN : items.filter(holds).length / items.length;
}

function mean(values: readonly number[]): number {
  return values.length === 0 ? Number.NaN : values.reduce((sum, value) => sum + value, 0) / values.length;
}
