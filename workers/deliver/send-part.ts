import type { OpenAccount } from '../../core/channels/accounts/channel-account.ts';
import type { HeldLane, LaneKey } from '../../core/channels/inbound/lane.ts';
import { setReachable, updateLaneAddress } from '../../core/channels/inbound/lane-conversation.ts';
import type { LaneDependencies } from '../../core/channels/inbound/lane-dependencies.ts';
import { wakeLane } from '../../core/channels/inbound/wake-lanes.ts';
import { scheduleStatusPoll } from '../../core/channels/outbound/delivery-reports.ts';
import {
  postponePart,
  type SettleResult,
  settlePart,
  type WaitingPart,
} from '../../core/channels/outbound/outbox.ts';
import { endPauses, findKnownMessageIds } from '../../core/channels/outbound/part-records.ts';
import { listBudgets } from '../../core/channels/outbound/send-budgets.ts';
import type { Tools } from '../../core/contract/account.ts';
import { ConnectorError } from '../../core/contract/connector-error.ts';
import type { Receipt } from '../../core/contract/outbound.ts';
import { retryUntilDatabase } from '../../core/storage/sql-errors.ts';
import { originOf, toSpanChannel } from './message-end.ts';

interface PartToSend {
  readonly held: HeldLane;
  readonly next: WaitingPart;
  readonly open: OpenAccount;
}

/** The result of sending a part. */
type Outcome =
  /** `moved`: the conversation has another address from now on, so the next part must be looked up. */
  | ({ readonly kind: 'sent' | 'moved' } & SettleResult)
  | { readonly kind: 'refused'; readonly status: 'failed' | 'dead' }
  | { readonly kind: 'postponed'; readonly at: Date };

type SendPartDependencies = Pick<
  LaneDependencies,
  | 'channelAccounts'
  | 'database'
  | 'clock'
  | 'log'
  | 'metrics'
  | 'connectorCalls'
  | 'rateLimitHolds'
  | 'outages'
  | 'queue'
  | 'sendingConcurrency'
  | 'sentPartBatcher'
  | 'sentJournal'
  | 'signal'
  | 'scheduleDeliveries'
  | 'spans'
>;

/** Sends a part once and stores the result. */
export async function sendPart(
  dependencies: SendPartDependencies,
  { held, next, open }: PartToSend,
): Promise<Outcome> {
  const { database, log, metrics, channelAccounts, outages, sendingConcurrency } = dependencies;
  const { account } = open;
  const attempts = next.attempts + 1;
  const attempted = { ...next, attempts };
  const startMs = dependencies.clock.now().getTime();
  try {
    const { moved, sentAt, recorded } = await sendingConcurrency.run(held.channelId, async () => {
      const sent = await sendAndRecord(dependencies, { held, next: attempted, open });
      await sent.safe;
      return sent;
    });
    const settled = await recorded;
    exportSent(dependencies, { next: attempted, open, startMs, error: null });
    metrics.channels.sent(account.channel, sentAt.getTime() - next.since.getTime());
    await channelAccounts.noteSent(account.id);
    if (outages.recordSuccess(account.id)) await retryAfterOutage(dependencies, account.id);
    const { outcome } = open.connector.open(open.account);
    if (outcome !== undefined) {
      const at = new Date(sentAt.getTime() + outcome.afterMs);
      await scheduleStatusPoll(database.kysely, { number: next.number, at });
    }
    if (moved === undefined) return { kind: 'sent', ...settled };
    await updateLaneAddress(database.kysely, { channelId: held.channelId, from: next.to, to: moved });
    return { kind: 'moved', ...settled };
  } catch (error) {
    if (held.signal.aborted || !(error instanceof ConnectorError)) throw error;
    log.warn(
      { err: error, channel: held.channelId, part: next.number, attempts },
      'sending a message failed',
    );
    exportSent(dependencies, { next: attempted, open, startMs, error });
    return handleRefusal(dependencies, { held, next: attempted, open }, error);
  }
}

interface SentAttempt {
  /** Includes this attempt. */
  readonly next: WaitingPart;
  readonly open: OpenAccount;
  readonly startMs: number;
  /** Null if the platform took the part. */
  readonly error: ConnectorError | null;
}

function exportSent(
  { spans, clock }: Pick<SendPartDependencies, 'spans' | 'clock'>,
  { next: { number, attempts, messageId, eventId }, open, startMs, error }: SentAttempt,
): void {
  if (spans === null) return;
  const channel = toSpanChannel(open);
  spans.sent({
    ...{ channel, messageId, startMs, part: number, attempt: attempts },
    origin: originOf({ channel, eventId, messageId }),
    endMs: clock.now().getTime(),
    error: error && describeRefusal(error),
  });
}

/** The platform's own words may repeat the message. */
function describeRefusal({ account, advice }: ConnectorError): string {
  if (account) return 'account_refused';
  return { never: 'refused', backoff: 'unavailable', after: 'rate_limited' }[advice.retry];
}

/**
 * Sends a part and records the receipt. Until it is recorded, the next holder of the lane sends the part again,
 * so it is recorded as soon as the database is reachable, even if the lease was lost meanwhile. `next` includes
 * this attempt.
 */
async function sendAndRecord(dependencies: SendPartDependencies, { held, next, open }: PartToSend) {
  const { clock, connectorCalls, sentPartBatcher, sentJournal, signal } = dependencies;
  const receipt =
    (await findAlreadySent(dependencies, { held, next, open })) ??
    (await connectorCalls.call(open.account, (tools) => send({ next, open }, tools)));
  const { moved, messageId: platformMessageId } = receipt;
  const sentAt = clock.now();
  const { channelId, lane, token } = held;
  const { number, attempts } = next;
  const sent = { channelId, lane, token, number, attempts, platformMessageId, sentAt };
  const record = () => retryUntilDatabase(() => sentPartBatcher.settle(sent), signal);
  return { moved, sentAt, ...sentJournal.keep(sent, record) };
}

/** Replaces the draft. It sends a new message if the platform no longer allows the draft to be replaced. */
async function send(
  { next: { part, to, draft }, open: { connector, account } }: Pick<PartToSend, 'next' | 'open'>,
  tools: Tools,
): Promise<Receipt> {
  const { streaming, deliver } = connector.open(account);
  if (draft === null || streaming === undefined) return deliver(part, to, tools);
  try {
    return await streaming.end({ draft, part, to }, tools);
  } catch (error) {
    const isPermanent = error instanceof ConnectorError && error.advice.retry === 'never' && !error.account;
    if (!isPermanent) throw error;
    return deliver(part, to, tools);
  }
}

interface DuplicateSearch {
  readonly held: LaneKey;
  readonly next: WaitingPart;
  readonly open: OpenAccount;
}

/** Tolerance for the difference between the platform's clock and ours. */
const CLOCK_SKEW_MS = 60_000;

/**
 * Looks for a part in doubt on the platform. Returns null if it is not there or the platform cannot tell; it is
 * then sent again, because a duplicate is better than a lost message. Throws a ConnectorError if the platform
 * must be asked again later.
 */
async function findAlreadySent(
  { database, connectorCalls, log }: Pick<LaneDependencies, 'database' | 'connectorCalls' | 'log'>,
  { held: { channelId }, next, open: { connector, account } }: DuplicateSearch,
): Promise<Receipt | null> {
  const { findSent: find } = connector.open(account);
  if (!next.isInDoubt || next.draft !== null || find === undefined) return null;
  const { part, to, number } = next;
  const since = new Date(next.since.getTime() - CLOCK_SKEW_MS);
  const found = await connectorCalls
    .call(account, (tools) => find({ part, to, since }, tools))
    .catch((error: unknown) => {
      if (!(error instanceof ConnectorError) || error.advice.retry === 'backoff') throw error;
      log.warn({ err: error, channel: channelId, part: number }, 'duplicate check failed');
      return [];
    });
  const knownIds = await findKnownMessageIds(database.kysely, {
    channelId,
    ids: found.map(({ messageId }) => messageId),
  });
  const receipt = found.find(({ messageId }) => !knownIds.has(messageId)) ?? null;
  if (receipt !== null) log.info({ channel: channelId, part: number }, 'message was already sent');
  return receipt;
}

interface RefusedPart {
  readonly held: HeldLane;
  /** Includes the refused attempt. */
  readonly next: WaitingPart;
  readonly open: OpenAccount;
}

/** Eight attempts span about half an hour. */
const MAX_ATTEMPTS = 8;
const FIRST_PAUSE_MS = 8_000;
/** Minimum pause for platforms that give no retry time or whose clock differs. */
const MIN_PAUSE_MS = 500;
const MAX_PAUSE_MS = 24 * 60 * 60 * 1_000;

type SettleRefusalDependencies = Pick<
  LaneDependencies,
  'channelAccounts' | 'database' | 'clock' | 'rateLimitHolds' | 'outages' | 'scheduleDeliveries'
>;

/** Stores a platform's refusal. Returns what becomes of the part. */
async function handleRefusal(
  dependencies: SettleRefusalDependencies,
  { held, next, open }: RefusedPart,
  error: ConnectorError,
): Promise<Extract<Outcome, { kind: 'refused' | 'postponed' }>> {
  const { channelAccounts, clock } = dependencies;
  const database = dependencies.database.kysely;
  const { advice, message: failure } = error;
  // The mark stays until the next message from the visitor.
  if (error.unreachable) await setReachable(database, held, { reachable: false });
  if (error.account) await channelAccounts.noteRefusal(open.account.id, failure);
  if (advice.retry === 'backoff') dependencies.outages.recordFailure(held.channelId);
  await recordRateLimit(dependencies, { held, next, open }, advice);
  if (advice.retry === 'never') {
    // `dead` can be retried by an operator, after the account's credentials are fixed.
    const status = error.account ? 'dead' : 'failed';
    await settlePart(dependencies, next, { status, failure });
    return { kind: 'refused', status };
  }
  if (next.attempts >= MAX_ATTEMPTS) {
    await settlePart(dependencies, next, { status: 'dead', failure });
    return { kind: 'refused', status: 'dead' };
  }
  const at = new Date(clock.now().getTime() + retryDelay(advice, next.attempts));
  // After a timeout or a server error the platform may have sent the message anyway.
  const isInDoubt = advice.retry === 'backoff';
  await postponePart(database, next, { at, attempts: next.attempts, failure, isInDoubt });
  return { kind: 'postponed', at };
}

async function recordRateLimit(
  { rateLimitHolds }: Pick<SettleRefusalDependencies, 'rateLimitHolds'>,
  { held, next, open }: RefusedPart,
  advice: ConnectorError['advice'],
): Promise<void> {
  if (advice.retry !== 'after' || advice.limited === undefined) return;
  const { afterMs, limited } = advice;
  const forMs = Math.max(afterMs, MIN_PAUSE_MS);
  await rateLimitHolds.record(held, { budgets: listBudgets(open, next.to), forMs, limited });
}

function retryDelay(advice: ConnectorError['advice'], attempts: number): number {
  const doubling = 2 ** (attempts - 1);
  if (advice.retry === 'after') {
    return Math.min(Math.max(advice.afterMs, MIN_PAUSE_MS * doubling), MAX_PAUSE_MS);
  }
  return FIRST_PAUSE_MS * doubling * (0.75 + Math.random() / 2);
}

/** Lanes woken at once. The sweep wakes the rest. */
const MAX_WAKES = 500;

/** Retries parts that failed during an outage immediately, without the pause after their last attempt. */
async function retryAfterOutage(
  dependencies: Pick<LaneDependencies, 'database' | 'clock' | 'queue' | 'log'>,
  channelId: string,
): Promise<void> {
  const now = dependencies.clock.now();
  const due = await endPauses(dependencies.database.kysely, { channelId, now, most: MAX_WAKES });
  const { log } = dependencies;
  log.info({ channel: channelId, lanes: due.length }, 'platform recovered from an outage');
  for (const { number, lane } of due) {
    await wakeLane(dependencies, {
      name: 'deliver',
      id: `${number}-${now.getTime()}`,
      key: { channelId, lane },
    });
  }
}
