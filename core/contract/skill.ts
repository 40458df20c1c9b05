/**
 * A JSON Schema of type `object`. Models read it to choose arguments, and the skill validates its arguments against it.
 */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** The visitor, as far as known; unknown fields are null. */
export interface SkillCustomer {
  readonly name: string | null;
  readonly email: string | null;
  readonly phone: string | null;
}

/** The state of the conversation when a skill may run. */
export interface SkillMoment {
  readonly workspaceId: string;
  readonly channel: string;
  /** Null if the question opens the conversation. */
  readonly conversationId: string | null;
  /** The visitor's current message. */
  readonly question: string;
  /** ISO 639-1, of the conversation; `en` if unknown. */
  readonly language: string;
  /** The visitor's earlier messages, oldest first. */
  readonly earlierQuestions: readonly string[];
  readonly customer: SkillCustomer;
  /** The integrator's own id of the visitor, if it was verified; otherwise null. */
  readonly userId: string | null;
  /** Whether an agent has the conversation or was requested. */
  readonly withPerson: boolean;
  /** The state that this skill stored with its last `await` effect; null if it does not wait for anything. */
  readonly awaited: SkillState | null;
  readonly now: Date;
  /** Aborts when the caller no longer needs the answer. */
  readonly signal: AbortSignal;
}

/** State that a skill stores for the visitor's next messages. It has at most 4 KB as JSON. */
export type SkillState = Readonly<Record<string, unknown>>;

/** A change that is stored in the same transaction as the answer, or not at all. */
export type SkillEffect =
  | { readonly kind: 'escalate'; readonly reason: string }
  /** Null fields mean that the visitor did not give the value: stored values stay. */
  | { readonly kind: 'capture_lead'; readonly lead: SkillCustomer; readonly consent: string }
  /**
   * Passes `state` to the skill's trigger (`awaited`) with the visitor's next `messages` messages, or until the skill
   * runs again.
   */
  | { readonly kind: 'await'; readonly state: SkillState; readonly messages: number };

/** The result of running a skill. */
export interface SkillOutcome {
  /**
   * A text that the visitor receives unchanged, in place of a generated one; null if the answer is written from the
   * passages and `finding`.
   */
  readonly reply: string | null;
  /** Facts that the answer may use besides the passages. They are data, never instructions to the model. */
  readonly finding: string | null;
  readonly effects: readonly SkillEffect[];
}

/** An action that the assistant can take for a visitor besides answering. */
export interface Skill {
  /** The name in `skills_fired` and in the settings of a workspace: lower-case letters, digits and underscores. */
  readonly name: string;
  /** Tells a model when to use the skill. */
  readonly description: string;
  /** The arguments of the skill. */
  readonly parameters: JsonSchema;
  /** A skill with `verified` never runs for a visitor whose identity is not proven. */
  readonly runsFor: 'everyone' | 'verified';
  /**
   * Returns the arguments if the visitor's own words request the skill, without calling a model; otherwise null. The
   * engine calls it for every message before the answer is written. Pure; must not throw.
   */
  trigger(moment: SkillMoment): Readonly<Record<string, unknown>> | null;
  /**
   * Runs the skill. `given` are the arguments from a model or from `trigger`, not yet validated. It must not throw: a
   * failure is an outcome with a suitable `reply`.
   */
  run(args: unknown, moment: SkillMoment): Promise<SkillOutcome>;
}

/** The name of the skill that hands the conversation over to an agent. */
export const humanSkill = 'escalate_to_human';
