import type { Skill, SkillMoment } from '../../contract/skill.ts';
import type { AwaitedReply } from '../../conversations/conversation-memory.ts';

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
export function momentFor({ moment, awaited }: SkillSet, skill: Skill, signal: AbortSignal): SkillMoment {
  return { ...moment, awaited: awaited?.skill === skill.name ? awaited.state : null, signal };
}
