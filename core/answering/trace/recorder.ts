import type {
  AnswerTrace,
  ObserveAttempt,
  TracedSentence,
  WritingObserver,
} from '../../contract/trace/answer-trace.ts';
import type { Stage } from '../answer.ts';

type Attempt = AnswerTrace['attempts'][number];
type TracedSkill = AnswerTrace['skills'][number];

/** The origin of a call of a skill: the engine itself, the visitor's words, or a model. */
export type SkillCaller = TracedSkill['by'];

/** More of each are counted by nobody: they only bound the record. */
const MOST = { readings: 12, attempts: 12, skills: 8, sentences: 40 };

/**
 * Records how an answer is made while it is made. It keeps what the steps have at hand, and neither searches nor computes, so
 * that an answer costs the same with and without it.
 */
export class TraceRecorder {
  /** Milliseconds from any beginning. */
  readonly #now: () => number;
  readonly #entered: { readonly stage: Stage; readonly at: number }[] = [];
  readonly readings: AnswerTrace['readings'] = [];
  readonly attempts: Attempt[] = [];
  readonly skills: TracedSkill[] = [];
  readonly #sentences: TracedSentence[] = [];
  #endedAt: number | null = null;
  readonly observer: WritingObserver;

  constructor(now: () => number) {
    this.#now = now;
    const observe = this.observe('answer');
    this.observer = {
      attempt: (model) => {
        // A second attempt begins when the first model fails: its text is not kept.
        this.#sentences.length = 0;
        return observe(model);
      },
      sentence: (sentence) => add(this.#sentences, sentence, MOST.sentences),
    };
  }

  get sentences(): readonly TracedSentence[] {
    return this.#sentences;
  }

  /** Records that a stage begins. A stage that has begun goes on. */
  enter(stage: Stage): void {
    if (this.#entered.at(-1)?.stage !== stage) this.#entered.push({ stage, at: this.#now() });
  }

  /** Records that the answer is complete or was interrupted. */
  end(): void {
    this.#endedAt ??= this.#now();
  }

  /** The time of each stage that began. */
  get ms(): AnswerTrace['ms'] {
    const ends = [...this.#entered.slice(1).map(({ at }) => at), this.#endedAt ?? this.#now()];
    return Object.fromEntries(
      this.#entered.map(({ stage, at }, index) => [stage, elapsed(at, ends[index] ?? at)]),
    );
  }

  /** Records that a text is searched. Returns the function that takes the score of the best passage. */
  reading(text: string, part: number): (score: number) => void {
    const begun = this.#now();
    return (score) =>
      add(this.readings, { text, part, score, ms: elapsed(begun, this.#now()) }, MOST.readings);
  }

  /** Records that a skill runs. Returns the function that takes its outcome. */
  skill(name: string, by: SkillCaller): (outcome: TracedSkill['outcome']) => void {
    const begun = this.#now();
    return (outcome) => add(this.skills, { name, by, outcome, ms: elapsed(begun, this.#now()) }, MOST.skills);
  }

  /** Returns the observer of the models that are called for one purpose. */
  observe(purpose: Attempt['for']): ObserveAttempt {
    return (model) => {
      const begun = this.#now();
      return (outcome, tokens) => {
        const ms = elapsed(begun, this.#now());
        add(this.attempts, { for: purpose, model, outcome, ms, tokens }, MOST.attempts);
      };
    };
  }
}

function add<Item>(list: Item[], item: Item, most: number): void {
  if (list.length < most) list.push(item);
}

function elapsed(from: number, to: number): number {
  return Math.max(0, Math.round(to - from));
}
