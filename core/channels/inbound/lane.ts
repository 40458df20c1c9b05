import { randomUUID } from 'node:crypto';
import { type Kysely, sql, type Transaction } from 'kysely';
import type { Clock } from '../../base/clock.ts';
import type { Logger } from '../../base/log.ts';
import { linkSignal } from '../../contract/abort-signal.ts';
import { HumanTakeoverError } from '../../conversations/messages/turn.ts';
import { runPrepared } from '../../storage/prepared-statements.ts';
import type { Tables } from '../../storage/tables/tables.ts';
import { releaseVisitorLocks } from '../../visitors/visitor-lock.ts';

/**
 * The ordering key of one conversation on a platform: its messages are answered, and its answers sent, in
 * order.
 */
export interface LaneKey {
  readonly channelId: string;
  readonly lane: string;
}

/** Returns the session id that stands for the visitor of a lane. */
export function laneSessionId({ channelId, lane }: LaneKey): string {
  return `${channelId}:${lane}`;
}

/** Sort order for locking several lanes, so that two processes do not deadlock. */
export function compareLanes(one: LaneKey, other: LaneKey): number {
  return laneSessionId(one) < laneSessionId(other) ? -1 : 1;
}

/** Duration of a lease by the database's clock. Without renewal, another process takes over after this time. */
export const leaseSeconds = 20;

const leaseInterval = sql`make_interval(secs => ${sql.lit(leaseSeconds)})`;

/** A lane whose lease this worker holds until `signal` is aborted. */
export interface HeldLane extends LaneKey {
  readonly token: string;
  readonly signal: AbortSignal;
  /**
   * Aborts with a HumanTakeoverError if an agent claims the conversation, so that their message need not wait for an
   * answer.
   */
  readonly takenOver: AbortSignal;
}

interface HoldOptions {
  readonly key: LaneKey;
  /** Aborted when the process stops. The lease is then released. */
  readonly signal: AbortSignal;
  /** Identifies the holder of the lease. Generated if absent. */
  readonly token?: string;
  /**
   * Acquires the lease in a custom way, for example together with other work. Returns false if another worker
   * holds it.
   */
  readonly acquire?: () => Promise<boolean>;
}

/**
 * Result of one round: keep the state and stop (`stop`), lease already released (`released`), or undefined if the
 * database must be asked for more work.
 */
export type LaneRoundResult = 'stop' | 'released' | undefined;

/** Work that is due in a lane: a part to send, or an event to answer. */
export type DueWork = 'part' | 'event';

interface Dependencies {
  readonly database: Kysely<Tables>;
  readonly log: Logger;
  readonly clock: Clock;
}

const renewMs = 5_000;

/**
 * Runs rounds of `work` in a lane until nothing is left or a round returns `stop`. A round gets what is due in the
 * lane, the first one null. It does nothing if another worker holds the lease. The holder checks for work once more
 * under a row lock before it releases, so work stored before another worker was turned away is not missed.
 */
export async function withLaneLease(
  dependencies: Dependencies,
  { key, signal, token = randomUUID(), acquire }: HoldOptions,
  work: (held: HeldLane, due: DueWork | null) => Promise<LaneRoundResult>,
): Promise<void> {
  const { database, log, clock } = dependencies;
  if (!(await (acquire?.() ?? acquireLease(database, { key, token })))) return;
  const { controller: leaseLost, leave } = linkSignal(signal);
  let takeover = new AbortController();
  const renewal = setInterval(() => {
    renewLease(database, { key, token })
      .then((renewed) => {
        if (renewed === null) leaseLost.abort(new Error('the lane lease was lost to another process'));
        else if (renewed.claimed) takeover.abort(new HumanTakeoverError());
      })
      .catch((err: unknown) => log.warn({ err, ...key }, 'lease renewal failed'));
  }, renewMs);
  let due: DueWork | null = null;
  let isReleased = false;
  try {
    while (!isReleased && !leaseLost.signal.aborted) {
      takeover = new AbortController();
      const held = { ...key, token, signal: leaseLost.signal, takenOver: takeover.signal };
      const round = await work(held, due);
      if (round === 'stop') break;
      due = round === 'released' ? null : await releaseLease(database, { key, token }, clock.now());
      isReleased = due === null;
    }
  } finally {
    clearInterval(renewal);
    leave();
    if (!isReleased) await clearLease(database, { key, token });
  }
}

interface Hold {
  readonly key: LaneKey;
  readonly token: string;
}

async function acquireLease(database: Kysely<Tables>, { key, token }: Hold): Promise<boolean> {
  const statement = sql<{ ours: boolean }>`
    select lease_lane(${key.channelId}, ${key.lane}, ${token}, ${leaseInterval}) as ours
  `;
  const [row] = await runPrepared(statement, database);
  return row?.ours ?? false;
}

/** Returns whether an agent has the conversation, or null if the lease was lost. */
async function renewLease(
  database: Kysely<Tables>,
  { key, token }: Hold,
): Promise<{ readonly claimed: boolean } | null> {
  const { rows } = await sql<{ claimed: boolean }>`
    update lane set held_until = clock_timestamp() + ${leaseInterval}
    where channel_id = ${key.channelId} and lane = ${key.lane} and holder = ${token}
    returning exists (select from conversation where id = conversation_id and status = 'claimed') as claimed
  `.execute(database);
  return rows[0] ?? null;
}

/** Returns what is due in the lane, or null if the lease was released or lost. */
async function releaseLease(
  database: Kysely<Tables>,
  { key, token }: Hold,
  now: Date,
): Promise<DueWork | null> {
  const statement = sql<{ due: DueWork | null }>`
    select release_lane(${key.channelId}, ${key.lane}, ${token}, ${now}) as due
  `;
  const [row] = await runPrepared(statement, database);
  return row?.due ?? null;
}

async function clearLease(database: Kysely<Tables>, { key, token }: Hold): Promise<void> {
  await sql`
    update lane set holder = null, held_until = null
    where channel_id = ${key.channelId} and lane = ${key.lane} and holder = ${token}
  `.execute(database);
}

/**
 * Throws LaneLeaseLost if the lease is no longer held. It runs in the transaction that stores the lane's results.
 */
export async function assertLeaseHeld(
  transaction: Transaction<Tables>,
  { channelId, lane, token }: HeldLane,
): Promise<void> {
  const { rows } = await sql`
    select 1 from lane where channel_id = ${channelId} and lane = ${lane} and holder = ${token} for update
  `.execute(transaction);
  if (rows.length === 0) throw new LaneLeaseLost();
}

/** Another process holds the lane, so the results of this one are discarded. */
export class LaneLeaseLost extends Error {
  constructor() {
    super('the lane lease was lost to another process');
    this.name = 'LaneLost';
  }
}

/**
 * Releases all leases of earlier processes. Only for a database that a single process can use: elsewhere
 * another process may hold them, and leases expire by themselves.
 */
export async function releaseStaleLeases(database: Kysely<Tables>): Promise<void> {
  await sql`select doubt_first_part(channel_id, lane) from lane where holder is not null`.execute(database);
  await database
    .updateTable('lane')
    .set({ holder: null, held_until: null })
    .where('holder', 'is not', null)
    .execute();
  await database
    .updateTable('channel')
    .set({ listening: null, listening_until: null })
    .where('listening', 'is not', null)
    .execute();
  await releaseVisitorLocks(database);
}
