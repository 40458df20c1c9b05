import type { ErrorCode } from '../base/error-catalogue.ts';
import type { EarlierTurn, Tiers } from '../contract/answer.ts';
import type { EarlierMessage } from '../contract/facets.ts';
import type { Skill, SkillMoment } from '../contract/skill.ts';
import type { AwaitedReply } from '../conversations/conversation-memory.ts';
import type { DraftedAnswer } from '../knowledge/curated/drafted-answer.ts';
import type { Correction } from '../workspaces/correction.ts';

/** A validated question and everything that its answer depends on. */
export interface Question {
  readonly workspaceId: string;
  readonly workspaceName: string;
  /** The question, with secrets masked if the workspace enables that. */
  readonly text: string;
  /**
   * The visitor's own words, which alone can ask for a skill, if `text` has more than them, such as what a picture shows.
   */
  readonly words?: string | undefined;
  /** Oldest first. */
  readonly earlierTurns: readonly EarlierTurn[];
  /** A summary of the messages before `earlierTurns`; null if none has been written. */
  readonly summary: string | null;
  /**
   * Messages of others before the visitor addressed the bot. They only help to understand the question, and are part
   * of the summary.
   */
  readonly overheard: readonly EarlierMessage[];
  /** The maximum number of passages the answer may use, 1 to 20. */
  readonly topK: number;
  readonly audience: readonly string[];
  readonly documentIds: readonly string[] | null;
  /** A curated answer to answer with as if it were stored. Absent or null: none. */
  readonly drafted?: DraftedAnswer | null;
  /** `fallback` permits answers from general knowledge if the documents contain none. */
  readonly strictness: 'strict' | 'fallback';
  /** 0 to 1; null means a value suited to answers from documents. */
  readonly temperature: number | null;
  /** The model that the workspace prefers, as `provider:model`; null means the installation's default. */
  readonly model: string | null;
  /** If all models fail with one of these errors, the answer is quoted from the documents. */
  readonly quotesAt: readonly ErrorCode[];
  /** Whether the documents are searched for the answer. */
  readonly searches: boolean;
  readonly skills: SkillSet;
  readonly tiers: Tiers;
  /** How the workspace corrects probabilities; null means not at all. */
  readonly correction: Correction | null;
  /** The workspace's own fallback message; null means the built-in one in the language of the question. */
  readonly fallbackMessage: string | null;
}

/** The skills available for a question, with their context. */
export interface SkillSet {
  /** The enabled skills, without the knowledge search. */
  readonly skills: readonly Skill[];
  readonly moment: Omit<SkillMoment, 'awaited' | 'signal'>;
  readonly awaited: AwaitedReply | null;
  /** The skill that the visitor requested by a button or command. */
  readonly wanted: string | null;
  /** The number of consecutive fallback answers before this one. */
  readonly fallbacks: number;
  /** The number of consecutive fallbacks after which an agent is requested; null means never. */
  readonly escalateAfter: number | null;
}

/** Returns the context for one of the skills. */
export function skillMoment({ moment, awaited }: SkillSet, skill: Skill, signal: AbortSignal): SkillMoment {
  return { ...moment, awaited: awaited?.skill === skill.name ? awaited.state : null, signal };
}
