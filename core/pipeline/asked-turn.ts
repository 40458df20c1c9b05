import type { EarlierMessage } from '../contract/earlier-message.ts';
import type { HeldLane } from './hold-lane.ts';
import type { LiveHearing } from './live-hearing.ts';
import type { VisitorTurn } from './next-step.ts';
import type { OpenAccount } from './open-account.ts';

/** What a visitor said, on its way to an answer. */
export interface AskedTurn {
  readonly held: HeldLane;
  readonly open: OpenAccount;
  readonly turn: VisitorTurn;
  readonly numbers: readonly string[];
  /** Whether another try is still to come, should this one fail. */
  readonly mayRetry: boolean;
  /** What others said before, where the conversation begins in the midst of something. */
  readonly overheard?: readonly EarlierMessage[] | undefined;
  /** Who hears the answer while it is made, if anybody does. */
  readonly live?: LiveHearing | undefined;
}
