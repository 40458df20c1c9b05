import type { AskDependencies } from '../../answering/ask-request.ts';
import type { MediaModels } from '../../answering/media/media-models.ts';
import type { MessageQuota } from '../../limits/quota.ts';
import type { AdaptiveConcurrency } from '../../queue/adaptive-concurrency.ts';
import type { JobQueue } from '../../queue/queue.ts';
import type { ScheduleDeliveries } from '../../webhooks/event-transaction.ts';
import type { FindAccount } from '../accounts/channel-account.ts';
import type { ChannelAccounts } from '../accounts/channel-accounts.ts';
import type { ConnectorCalls } from '../connector-calls.ts';
import type { ConnectorRegistry } from '../connector-registry.ts';
import type { RateLimitHolds } from '../outbound/send-budgets.ts';
import type { BudgetWaitQueue, PlatformOutages } from '../outbound/send-queue.ts';
import type { SentPartBatcher } from '../outbound/sent-batches.ts';
import type { SentJournal } from '../outbound/sent-journal.ts';
import type { BurstCollector } from './burst-collector.ts';
import type { LaneHandover, LaneLeaseBatcher } from './lane-work.ts';

/** The services that answer and send in lanes. */
export interface LaneServices extends AskDependencies {
  readonly channelAccounts: ChannelAccounts;
  readonly connectorCalls: ConnectorCalls;
  readonly connectors: ConnectorRegistry;
  /** Messages that wait for a budget of their platform. */
  readonly rateLimitHolds: RateLimitHolds;
  readonly laneLeases: LaneLeaseBatcher;
  /** Hears recordings and sees pictures; null if no model for them is configured. */
  readonly media: MediaModels | null;
  readonly outages: PlatformOutages;
  readonly queue: JobQueue;
  readonly quota: MessageQuota;
  /** Limits how many messages are sent at once until their result is recorded. */
  readonly sendingConcurrency: AdaptiveConcurrency;
  readonly budgetWaitQueue: BudgetWaitQueue;
  readonly sentPartBatcher: SentPartBatcher;
  readonly sentJournal: SentJournal;
  readonly laneHandover: LaneHandover;
  readonly scheduleDeliveries: ScheduleDeliveries;
  readonly bursts: BurstCollector;
}

/** The services for one lane, as its worker provides them. */
export interface LaneDependencies extends LaneServices {
  readonly findAccount: FindAccount;
  /** Aborted when the process must stop. Unfinished work is left to another process. */
  readonly signal: AbortSignal;
}
