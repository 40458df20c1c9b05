import type { Workspace } from '../workspaces/workspaces.ts';
import type { EarlierTurn } from './standalone-question.ts';

/** What a stranger asks of a workspace that is open to everybody. */
export interface PublicQuestion {
  readonly workspace: Workspace;
  readonly text: string;
  /** One begun by such a question; null begins one. */
  readonly conversationId: string | null;
  /** What was said before, by the caller's own account: oldest first, for a conversation that begins here. */
  readonly earlierTurns: readonly EarlierTurn[];
  /** ISO 639-1 code of the language that the caller reads; null where the question tells it. */
  readonly locale: string | null;
}
