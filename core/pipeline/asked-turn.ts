import type { Workspace } from '../workspaces/workspaces.ts';
import type { HeldLane } from './hold-lane.ts';
import type { LaneConversation } from './lane-conversation.ts';
import type { LiveHearing } from './live-hearing.ts';
import type { VisitorTurn } from './next-step.ts';
import type { OpenAccount } from './open-account.ts';

/** What a visitor said, on its way to an answer. */
export interface AskedTurn {
  readonly held: HeldLane;
  readonly open: OpenAccount;
  readonly turn: VisitorTurn;
  readonly workspace: Workspace;
  /** The one that goes on; null where this begins one. */
  readonly conversation: LaneConversation | null;
  /** ISO 639-1, of what the visitor is to read. */
  readonly language: string;
  readonly numbers: readonly string[];
  /** Whether another try is still to come, should this one fail. */
  readonly mayRetry: boolean;
  /** Who hears the answer while it is made, if anybody does. */
  readonly live?: LiveHearing | undefined;
}
