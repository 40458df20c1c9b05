/** What an argument of a skill may be, as a JSON Schema of an object: models read it, and arguments are checked by it. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** Who the visitor is, as far as it is known; null where it is not. */
export interface SkillCustomer {
  readonly name: string | null;
  readonly email: string | null;
  readonly phone: string | null;
}

/** The conversation at the moment when a skill may run. */
export interface SkillMoment {
  readonly workspaceId: string;
  readonly channel: string;
  /** Null where the conversation begins with this question. */
  readonly conversationId: string | null;
  /** What the visitor says now. */
  readonly question: string;
  /** ISO 639-1, of the conversation; `en` where it is not told. */
  readonly language: string;
  /** What the visitor said before, oldest first. */
  readonly earlierQuestions: readonly string[];
  readonly customer: SkillCustomer;
  /** The integrator's own name for the visitor, where it was proven; else null. */
  readonly userId: string | null;
  /** Whether a person was asked for, or has the conversation already. */
  readonly withPerson: boolean;
  /** What this skill asked the visitor for in the answer before this one; null where it did not. */
  readonly awaited: SkillState | null;
  readonly now: Date;
  /** Aborted when nobody waits for the answer any more. */
  readonly signal: AbortSignal;
}

/** What a skill wants to find again with the visitor's next message. At most 4 KB as JSON. */
export type SkillState = Readonly<Record<string, unknown>>;

/** A change that is stored in the transaction of the answer, or not at all. */
export type SkillEffect =
  | { readonly kind: 'escalate'; readonly reason: string }
  /** Null: not told; what is known of the customer stays. */
  | { readonly kind: 'capture_lead'; readonly lead: SkillCustomer; readonly consent: string }
  /** The skill's trigger sees this with so many of the visitor's next messages, or until it runs again. */
  | { readonly kind: 'await'; readonly state: SkillState; readonly messages: number };

export interface SkillOutcome {
  /** Told to the visitor as it is, whatever a model writes; null leaves the answer to the passages and `finding`. */
  readonly reply: string | null;
  /** What the answer may be written from, beside the passages: data, never instructions. */
  readonly finding: string | null;
  readonly effects: readonly SkillEffect[];
}

/** Something the hub can do for a visitor, beside answering. */
export interface Skill {
  /** What `skills_fired` and the settings of a workspace call it: small letters, digits and underscores. */
  readonly name: string;
  /** Tells a model when to use it. */
  readonly description: string;
  readonly parameters: JsonSchema;
  /** A skill for the verified is never run for a visitor whose identity was not proven. */
  readonly runsFor: 'everyone' | 'verified';
  /** The arguments where the visitor's own words call for the skill, without a model; null where they do not. */
  trigger(moment: SkillMoment): Readonly<Record<string, unknown>> | null;
  /** `given` are arguments as a model or the trigger told them: not yet checked. Whatever goes wrong is an outcome. */
  run(given: unknown, moment: SkillMoment): Promise<SkillOutcome>;
}

/** The skill by which a visitor gets a person. */
export const humanSkill = 'escalate_to_human';
