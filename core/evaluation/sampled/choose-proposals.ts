import { cosine } from '../gaps/cluster.ts';
import type { QuestionVector } from '../gaps/question-vector.ts';

/** How a visitor's question ended. It is `disliked` whatever was answered. */
export const sampledOutcomes = ['answered', 'unsure', 'unanswered', 'disliked'] as const;
export type SampledOutcome = (typeof sampledOutcomes)[number];

/** A question as it is compared with others. */
export interface ComparableQuestion extends QuestionVector {
  /** ISO 639-1. Questions of different languages or models are never compared. */
  readonly language: string;
}

export interface ChoosableQuestion extends ComparableQuestion {
  readonly outcome: SampledOutcome;
}

interface Choosing<Question> {
  /** The most questions to choose. */
  readonly count: number;
  /** Whether a test question asks the same. */
  readonly isKnown: (question: Question) => Promise<boolean>;
}

/** Returns whether two questions are wordings of one. Pure. */
export function isSame(one: ComparableQuestion, other: ComparableQuestion): boolean {
  return isNear(one, other, one.sameCosine);
}

/**
 * Chooses questions of all outcomes in turn, each of the topic that was chosen least so far: what is asked most often does
 * not crowd out the rest. None is a wording of another one or of a test question. The order of `questions` decides between
 * equals, so the same order gives the same choice.
 */
export async function chooseProposals<Question extends ChoosableQuestion>(
  questions: readonly Question[],
  { count, isKnown }: Choosing<Question>,
): Promise<readonly Question[]> {
  const topics = sortIntoTopics(questions);
  const timesChosen = new Map<number, number>();
  const left = new Map(
    sampledOutcomes.map((outcome) => [outcome, questions.filter((each) => each.outcome === outcome)]),
  );
  const chosen: Question[] = [];
  const timesOf = (question: Question) => timesChosen.get(topics.get(question) ?? -1) ?? 0;
  /** Removes the next question from `rest`, and those before it that ask what is known or chosen already. */
  const takeNext = async (rest: Question[]): Promise<Question | null> => {
    for (;;) {
      const [first] = rest;
      if (first === undefined) return null;
      const next = rest.reduce((best, each) => (timesOf(each) < timesOf(best) ? each : best), first);
      rest.splice(rest.indexOf(next), 1);
      if (!chosen.some((other) => isSame(next, other)) && !(await isKnown(next))) return next;
    }
  };
  while (chosen.length < count && [...left.values()].some((rest) => rest.length > 0)) {
    for (const rest of left.values()) {
      const next = chosen.length === count ? null : await takeNext(rest);
      if (next === null) continue;
      timesChosen.set(topics.get(next) ?? -1, timesOf(next) + 1);
      chosen.push(next);
    }
  }
  return chosen;
}

/** Numbers the topics of questions: each question joins the nearest topic whose first question is near, or begins one. */
function sortIntoTopics<Question extends ComparableQuestion>(
  questions: readonly Question[],
): ReadonlyMap<Question, number> {
  const firsts: Question[] = [];
  const topics = new Map<Question, number>();
  for (const question of questions) {
    const near = firsts
      .map((first, topic) => ({ topic, isNear: isNear(question, first, question.leastCosine), first }))
      .filter((each) => each.isNear)
      .toSorted((one, other) => similarity(question, other.first) - similarity(question, one.first))[0];
    topics.set(question, near?.topic ?? firsts.push(question) - 1);
  }
  return topics;
}

function similarity(one: ComparableQuestion, other: ComparableQuestion): number {
  return cosine(one.vector, other.vector);
}

function isNear(one: ComparableQuestion, other: ComparableQuestion, least: number): boolean {
  return one.language === other.language && one.modelId === other.modelId && similarity(one, other) >= least;
}
