import { sql } from 'kysely';
import type { OpenAccount } from '../../core/channels/channel-account.ts';
import type { Tools } from '../../core/contract/account.ts';
import { ConnectorError } from '../../core/contract/connector-error.ts';
import type { Receipt } from '../../core/contract/outbound.ts';
import type { HeldLane, LaneKey } from '../../core/inbound/lane.ts';
import { setReachable, updateLaneAddress } from '../../core/inbound/lane-conversation.ts';
import type { LaneDependencies } from '../../core/inbound/lane-dependencies.ts';
import { wakeLane } from '../../core/inbound/wake-lanes.ts';
import { postponePart, type SettleResult, settlePart, type WaitingPart } from '../../core/outbound/outbox.ts';
import { listBudgets } from '../../core/outbound/send-budgets.ts';
import { retryUntilDatabase } from '../../core/storage/sql-errors.ts';
import { scheduleStatusPoll } from './delivery-status.ts';

interface Sending {
  readonly held: HeldLane;
  readonly next: WaitingPart;
  readonly open: OpenAccount;
  /** Of whoever answers in the lane meanwhile, where he sends as well. */
  readonly answering: string | undefined;
}

/** What came of sending a part. */
type Outcome =
  | ({ readonly kind: 'sent' } & SettleResult)
  /** What is to be sent next has to be looked up. */
  | { readonly kind: 'settled' }
  | { readonly kind: 'postponed'; readonly at: Date };

type SendPartDependencies = Pick<
  LaneDependencies,
  | 'channelAccounts'
  | 'database'
  | 'clock'
  | 'log'
  | 'metrics'
  | 'connectorCalls'
  | 'heldBack'
  | 'outages'
  | 'queue'
  | 'sendingGate'
  | 'sentBatches'
  | 'sentJournal'
  | 'signal'
  | 'wakeDeliveries'
>;

/** Sends a part once, and stores what came of it. */
export async function sendPart(
  dependencies: SendPartDependencies,
  { held, next, open, answering }: Sending,
): Promise<Outcome> {
  const { database, log, metrics, channelAccounts, outages, sendingGate } = dependencies;
  const { account } = open;
  const attempts = next.attempts + 1;
  const tried = { ...next, attempts };
  try {
    const { moved, sentAt, noted } = await sendingGate.run(held.channelId, async () => {
      const sent = await sendAndRecord(dependencies, { held, next: tried, open, answering });
      await sent.safe;
      return sent;
    });
    const settled = await noted;
    metrics.channels.sent(account.channel, sentAt.getTime() - next.since.getTime());
    await channelAccounts.noteSent(account.id);
    if (outages.recordSuccess(account.id)) await retryAfterOutage(dependencies, account.id);
    const { outcome } = open.connector.facets;
    if (outcome !== undefined) {
      const at = new Date(sentAt.getTime() + outcome.afterMs);
      await scheduleStatusPoll(database.kysely, { number: next.number, at });
    }
    if (moved === undefined) return { kind: 'sent', ...settled };
    await updateLaneAddress(database.kysely, { channelId: held.channelId, from: next.to, to: moved });
  } catch (error) {
    if (held.signal.aborted || !(error instanceof ConnectorError)) throw error;
    log.warn({ err: error, channel: held.channelId, part: next.number, attempts }, 'a message was not sent');
    const at = await handleRefusal(dependencies, { held, next: tried, open }, error);
    if (at !== null) return { kind: 'postponed', at };
  }
  return { kind: 'settled' };
}

/**
 * Until it is noted whoever has the lane next sends it again, so it is noted as soon as the database is there, whosever the
 * lane is by then. `next`: with this try counted.
 */
async function sendAndRecord(dependencies: SendPartDependencies, { held, next, open, answering }: Sending) {
  const { clock, connectorCalls, sentBatches, sentJournal, signal } = dependencies;
  const receipt =
    (await findAlreadySent(dependencies, { held, next, open })) ??
    (await connectorCalls.call(open.account, (tools) => send({ next, open }, tools)));
  const { moved, messageId: platformMessageId } = receipt;
  const sentAt = clock.now();
  const { channelId, lane, token } = held;
  const { number, attempts } = next;
  const sent = { channelId, lane, token, answering, number, attempts, platformMessageId, sentAt };
  const note = (mayWait: boolean) => retryUntilDatabase(() => sentBatches.settle(sent, { mayWait }), signal);
  return { moved, sentAt, ...sentJournal.keep(sent, note) };
}

/** In the place of what was shown of it; anew where the platform does not let it be replaced any more. */
async function send(
  { next: { part, to, draft }, open: { connector, account } }: Pick<Sending, 'next' | 'open'>,
  tools: Tools,
): Promise<Receipt> {
  const { streaming } = connector.facets;
  if (draft === null || streaming === undefined) return connector.deliver(part, to, account, tools);
  try {
    return await streaming.end({ draft, part, to }, account, tools);
  } catch (error) {
    const isForGood = error instanceof ConnectorError && error.advice.retry === 'never' && !error.account;
    if (!isForGood) throw error;
    return connector.deliver(part, to, account, tools);
  }
}

interface Sought {
  readonly held: LaneKey;
  readonly next: WaitingPart;
  readonly open: OpenAccount;
}

/** A platform goes by its own clock. */
const clocksApartMs = 60_000;

/**
 * What a platform has already of a part that is in doubt; null where it has nothing, or cannot say: then it is sent, as
 * twice is better than not at all. Throws the ConnectorError of a platform that is to be asked again.
 */
async function findAlreadySent(
  { database, connectorCalls, log }: Pick<LaneDependencies, 'database' | 'connectorCalls' | 'log'>,
  { held: { channelId }, next, open: { connector, account } }: Sought,
): Promise<Receipt | null> {
  const { findSent: find } = connector.facets;
  if (!next.isInDoubt || next.draft !== null || find === undefined) return null;
  const { part, to, number } = next;
  const since = new Date(next.since.getTime() - clocksApartMs);
  const found = await connectorCalls
    .call(account, (tools) => find({ part, to, since }, account, tools))
    .catch((error: unknown) => {
      if (!(error instanceof ConnectorError) || error.advice.retry === 'backoff') throw error;
      log.warn({ err: error, channel: channelId, part: number }, 'whether a message was sent is not known');
      return [];
    });
  const others = await findKnownMessageIds(database.kysely, {
    channelId,
    ids: found.map(({ messageId }) => messageId),
  });
  const receipt = found.find(({ messageId }) => !others.has(messageId)) ?? null;
  if (receipt !== null) log.info({ channel: channelId, part: number }, 'a message had been sent already');
  return receipt;
}

/** Those of the ids under which we know of having sent something. */
async function findKnownMessageIds(
  database: LaneDependencies['database']['kysely'],
  { channelId, ids }: { readonly channelId: string; readonly ids: readonly string[] },
): Promise<ReadonlySet<string | null>> {
  if (ids.length === 0) return new Set();
  const rows = await database
    .selectFrom('outbound_part')
    .select('platform_message_id')
    .where('channel_id', '=', channelId)
    .where('platform_message_id', 'in', ids)
    .execute();
  return new Set(rows.map(({ platform_message_id: id }) => id));
}

interface Refused {
  readonly held: HeldLane;
  /** With the try counted that was refused. */
  readonly next: WaitingPart;
  readonly open: OpenAccount;
}

/** Over about half an hour. */
const mostTries = 8;
const firstPauseMs = 8_000;
/** Whatever a platform says: it may say nothing, or go by another clock. */
const leastPauseMs = 500;
const longestPauseMs = 24 * 60 * 60 * 1_000;

type SettleRefusalDependencies = Pick<
  LaneDependencies,
  'channelAccounts' | 'database' | 'clock' | 'heldBack' | 'outages' | 'wakeDeliveries'
>;

/** Stores that a platform did not take a part, and tells when it is tried again; null where it is not. */
async function handleRefusal(
  dependencies: SettleRefusalDependencies,
  { held, next, open }: Refused,
  error: ConnectorError,
): Promise<Date | null> {
  const { channelAccounts, clock } = dependencies;
  const database = dependencies.database.kysely;
  const { advice, message: failure } = error;
  // Until the visitor is heard of again.
  if (error.unreachable) await setReachable(database, held, { reachable: false });
  if (error.account) await channelAccounts.noteRefusal(open.account.id, failure);
  if (advice.retry === 'backoff') dependencies.outages.recordFailure(held.channelId);
  await recordRateLimit(dependencies, { held, next, open }, advice);
  if (advice.retry === 'never') {
    // What an account could not send another token of it can: an operator may try it again then.
    await settlePart(dependencies, next, { status: error.account ? 'dead' : 'failed', failure });
    return null;
  }
  if (next.attempts >= mostTries) {
    await settlePart(dependencies, next, { status: 'dead', failure });
    return null;
  }
  const at = new Date(clock.now().getTime() + retryDelay(advice, next.attempts));
  // What was silent, or says that it failed, may have done it all the same.
  const isInDoubt = advice.retry === 'backoff';
  await postponePart(database, next, { at, attempts: next.attempts, failure, isInDoubt });
  return at;
}

async function recordRateLimit(
  { heldBack }: Pick<SettleRefusalDependencies, 'heldBack'>,
  { held, next, open }: Refused,
  advice: ConnectorError['advice'],
): Promise<void> {
  if (advice.retry !== 'after' || advice.limited === undefined) return;
  const { afterMs, limited } = advice;
  const forMs = Math.max(afterMs, leastPauseMs);
  await heldBack.record(held, { budgets: listBudgets(open, next.to), forMs, limited });
}

function retryDelay(advice: ConnectorError['advice'], attempts: number): number {
  const doubling = 2 ** (attempts - 1);
  if (advice.retry === 'after') {
    return Math.min(Math.max(advice.afterMs, leastPauseMs * doubling), longestPauseMs);
  }
  return firstPauseMs * doubling * (0.75 + Math.random() / 2);
}

/** Woken at once: the others by the sweep. */
const most = 500;

/** Tries again at once what a platform was out of order for, and not when the pause after its last try is over. */
async function retryAfterOutage(
  dependencies: Pick<LaneDependencies, 'database' | 'clock' | 'queue' | 'log'>,
  channelId: string,
): Promise<void> {
  const now = dependencies.clock.now();
  const { rows } = await sql<{ number: string; lane: string }>`
    with due as (
      update outbound_part set next_attempt_at = ${now}
      where number in (
        select number from outbound_part
        where channel_id = ${channelId} and status = 'waiting' and failure is not null and next_attempt_at > ${now}
        for update skip locked
      )
      returning number, lane
    )
    select number, lane from due order by number limit ${most}
  `.execute(dependencies.database.kysely);
  const { log } = dependencies;
  log.info({ channel: channelId, lanes: rows.length }, 'a platform takes again what it did not for a while');
  for (const { number, lane } of rows) {
    await wakeLane(dependencies, {
      name: 'deliver',
      id: `${number}-${now.getTime()}`,
      key: { channelId, lane },
    });
  }
}
