import type { EarlierMessage } from '../contract/facets.ts';
import type { Skill, SkillMoment } from '../contract/skill.ts';
import type { AwaitedReply } from '../conversations/conversation-memory.ts';
import type { ErrorCode } from '../errors.ts';
import type { EarlierTurn } from './understanding/standalone-question.ts';

/** A question that was let in, with all that its answer depends on. */
export interface Question {
  readonly workspaceId: string;
  /** Without the visitor's secrets where the workspace masks them. */
  readonly text: string;
  /** Oldest first. */
  readonly earlierTurns: readonly EarlierTurn[];
  /** What was said before those; null where nobody has summed it up. */
  readonly summary: string | null;
  /** What others said before the visitor spoke to us: only for what the question is about. It is in the summary too. */
  readonly overheard: readonly EarlierMessage[];
  /** How many passages the answer may draw on, 1 to 20. */
  readonly topK: number;
  readonly audience: readonly string[];
  readonly documentIds: readonly string[] | null;
  /** `fallback` allows answers from general knowledge where the documents hold none. */
  readonly strictness: 'strict' | 'fallback';
  /** 0 to 1; null takes what suits answers from documents. */
  readonly temperature: number | null;
  /** The workspace's first choice of a model, `provider:model`; null takes the installation's. */
  readonly model: string | null;
  /** At which failures of all models the answer is quoted from the documents instead. */
  readonly quotesAt: readonly ErrorCode[];
  /** Whether the documents are searched for the answer. */
  readonly searches: boolean;
  readonly skills: SkillSet;
  /** The workspace's own words for "I do not know"; null takes ours, in the language of the question. */
  readonly fallbackMessage: string | null;
}

/** What may be done for a visitor, and what is known of the conversation when that is asked. */
export interface SkillSet {
  /** Those that are switched on, without the search in documents. */
  readonly skills: readonly Skill[];
  readonly moment: Omit<SkillMoment, 'awaited' | 'signal'>;
  readonly awaited: AwaitedReply | null;
  /** The skill that the visitor asked for by a button or a command. */
  readonly wanted: string | null;
  /** How many of the answers before this one were fallbacks, one after the other. */
  readonly fallbacks: number;
  /** With so many fallbacks in a row a person is asked; null: never. */
  readonly escalateAfter: number | null;
}

/** The moment as one of the skills sees it. */
export function skillMoment({ moment, awaited }: SkillSet, skill: Skill, signal: AbortSignal): SkillMoment {
  return { ...moment, awaited: awaited?.skill === skill.name ? awaited.state : null, signal };
}
