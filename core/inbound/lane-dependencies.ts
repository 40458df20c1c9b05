import type { AskDependencies } from '../answering/ask.ts';
import type { FindAccount } from '../channels/channel-account.ts';
import type { Runtime } from '../runtime.ts';

export interface LaneDependencies
  extends AskDependencies,
    Pick<
      Runtime,
      | 'channelAccounts'
      | 'connectorCalls'
      | 'heldBack'
      | 'laneBatches'
      | 'log'
      | 'metrics'
      | 'outages'
      | 'queue'
      | 'quota'
      | 'sendingGate'
      | 'sendingLines'
      | 'sentBatches'
      | 'sentJournal'
      | 'takenLanes'
      | 'wakeDeliveries'
    > {
  readonly findAccount: FindAccount;
  /** Aborted when the process must stop. Unfinished work is left to another process. */
  readonly signal: AbortSignal;
}
