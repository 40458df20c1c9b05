import type {
  AnswerTrace,
  ObserveAttempt,
  TracedSentence,
  WritingObserver,
} from '../../contract/trace/answer-trace.ts';
import type { AnswerTimes } from '../../tracing/spans.ts';
import type { Stage } from '../answer.ts';

type Attempt = AnswerTrace['attempts'][number];
type TracedSkill = AnswerTrace['skills'][number];

/** The origin of a call of a skill: the engine itself, the visitor's words, or a model. */
export type SkillCaller = TracedSkill['by'];

/** When steps began, in the order of the trace. */
interface StepTimes {
  readonly readings: number[];
  readonly attempts: { readonly at: number; readonly input: number }[];
  readonly skills: number[];
}

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
  /** Null unless spans are made of the trace. */
  readonly #times: StepTimes | null;
  #endedAt: number | null = null;
  readonly observer: WritingObserver;

  /** `isTimed`: it also records when each step began. */
  constructor(now: () => number, isTimed = false) {
    this.#now = now;
    this.#times = isTimed ? { readings: [], attempts: [], skills: [] } : null;
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

  /** When each step began. Only the stages are known unless that is recorded. */
  get times(): AnswerTimes {
    const endedAt = this.#endedAt ?? this.#now();
    const stages = this.#entered.map(({ stage, at }, index) => ({
      ...{ stage, at },
      until: this.#entered[index + 1]?.at ?? endedAt,
    }));
    return { ...(this.#times ?? { readings: [], attempts: [], skills: [] }), stages };
  }

  /** Records that a text is searched. Returns the function that takes the score of the best passage. */
  reading(text: string, part: number): (score: number) => void {
    const begun = this.#now();
    return (score) => {
      if (!add(this.readings, { text, part, score, ms: elapsed(begun, this.#now()) }, MOST.readings)) return;
      this.#times?.readings.push(begun);
    };
  }

  /** Records that a skill runs. Returns the function that takes its outcome. */
  skill(name: string, by: SkillCaller): (outcome: TracedSkill['outcome']) => void {
    const begun = this.#now();
    return (outcome) => {
      if (!add(this.skills, { name, by, outcome, ms: elapsed(begun, this.#now()) }, MOST.skills)) return;
      this.#times?.skills.push(begun);
    };
  }

  /** Returns the observer of the models that are called for one purpose. */
  observe(purpose: Attempt['for']): ObserveAttempt {
    return (model) => {
      const begun = this.#now();
      return (outcome, tokens, input) => {
        const ms = elapsed(begun, this.#now());
        if (!add(this.attempts, { for: purpose, model, outcome, ms, tokens }, MOST.attempts)) return;
        this.#times?.attempts.push({ at: begun, input });
      };
    };
  }
}

/** Returns whether there was room. */
function add<Item>(list: Item[], item: Item, most: number): boolean {
  if (list.length >= most) return false;
  list.push(item);
  return true;
}

function elapsed(from: number, to: number): number {
  return Math.max(0, Math.round(to - from));
}
