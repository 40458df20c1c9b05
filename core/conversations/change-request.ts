import type { SkillCustomer } from '../contract/skill.ts';
import type { ConversationStatus, Priority } from './conversation-values.ts';

export interface NewNote {
  readonly content: string;
  /** Who wrote it, instead of the key's name. */
  readonly authorEmail?: string | undefined;
}

/** What an agent wants changed; what is absent stays. */
export interface ConversationChange {
  readonly status?: ConversationStatus | undefined;
  /** Of a conversation that is snoozed, or becomes so with this change. */
  readonly snoozeUntil?: Date | undefined;
  /** Instead of those there are. */
  readonly tags?: readonly string[] | undefined;
  readonly priority?: Priority | undefined;
  /** Null forgets what was known. */
  readonly customer?: { readonly [Field in keyof SkillCustomer]?: string | null | undefined } | undefined;
  /** To be added to those there are. */
  readonly notes?: readonly NewNote[] | undefined;
}
