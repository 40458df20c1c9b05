import type { Opinion, SlaState } from './conversation-values.ts';

/** Which conversations of a workspace a list holds: those that every filter given lets pass. */
export interface ConversationFilters {
  readonly workspaceId: string;
  readonly channel?: string | undefined;
  readonly status?: string | undefined;
  /** All of them. */
  readonly tags: readonly string[];
  /** Started after. */
  readonly since?: Date | undefined;
  /** Started before. */
  readonly until?: Date | undefined;
  /** With a message, a change or an opinion of that moment or later: whoever keeps a copy asks so for what is new. */
  readonly updatedSince?: Date | undefined;
  /** Words, all of them in one message. */
  readonly text?: string | undefined;
  /** The customer's, in any case of its letters. */
  readonly email?: string | undefined;
  readonly slaState?: SlaState | undefined;
  /** What its visitor thinks of one of its answers. */
  readonly feedback?: Opinion | undefined;
}
