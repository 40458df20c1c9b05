import { randomUUID } from 'node:crypto';
import { type Kysely, sql, type Transaction } from 'kysely';
import type { Clock } from '../clock.ts';
import { linkSignal } from '../contract/abort-signal.ts';
import type { Logger } from '../log.ts';
import { runPrepared } from '../storage/prepared-statements.ts';
import type { Tables } from '../storage/tables/tables.ts';

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

type LaneRole = 'answering' | 'sending';

/** A lane whose lease this worker holds until `signal` is aborted. */
export interface HeldLane extends LaneKey {
  readonly token: string;
  readonly signal: AbortSignal;
}

interface HoldOptions {
  readonly key: LaneKey;
  readonly role: LaneRole;
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
 * Result of one round: keep the state and stop (`stop`), lease already released (`released`), more work is
 * certain (`continue`), or undefined if the database must be asked.
 */
export type LaneRoundResult = 'stop' | 'released' | 'continue' | undefined;

interface Dependencies {
  readonly database: Kysely<Tables>;
  readonly log: Logger;
  readonly clock: Clock;
}

const renewMs = 5_000;

/**
 * Runs rounds of `work` in a lane until nothing is left or a round returns `stop`. Does nothing if another
 * worker holds the lease. The holder checks for work once more under a row lock before it releases, so work
 * stored before another worker was turned away is not missed.
 */
export async function withLaneLease(
  dependencies: Dependencies,
  { key, role, signal, token = randomUUID(), acquire }: HoldOptions,
  work: (held: HeldLane) => Promise<LaneRoundResult>,
): Promise<void> {
  const { database, log, clock } = dependencies;
  if (!(await (acquire?.() ?? acquireLease(database, { key, role, token })))) return;
  const { controller: leaseLost, leave } = linkSignal(signal);
  const held: HeldLane = { ...key, token, signal: leaseLost.signal };
  const renewal = setInterval(() => {
    renewLease(database, { key, role, token })
      .then((isOurs) => isOurs || leaseLost.abort(new Error('the lane lease was lost to another process')))
      .catch((err: unknown) => log.warn({ err, ...key }, 'lease renewal failed'));
  }, renewMs);
  let isReleased = false;
  try {
    while (!isReleased && !held.signal.aborted) {
      const round = await work(held);
      if (round === 'stop') break;
      if (round === 'continue') continue;
      isReleased = round === 'released' || (await releaseLease(database, { key, role, token }, clock.now()));
    }
  } finally {
    clearInterval(renewal);
    leave();
    if (!isReleased) await clearLease(database, { key, role, token });
  }
}

interface Hold {
  readonly key: LaneKey;
  readonly role: LaneRole;
  readonly token: string;
}

function leaseColumns(role: LaneRole) {
  return { holder: sql.ref(role), until: sql.ref(`${role}_until`) };
}

async function acquireLease(database: Kysely<Tables>, { key, role, token }: Hold): Promise<boolean> {
  const statement = sql<{ ours: boolean }>`
    select take_lane(${key.channelId}, ${key.lane}, ${role}, ${token}, ${leaseInterval}) as ours
  `;
  const [row] = await runPrepared(statement, database);
  return row?.ours ?? false;
}

async function renewLease(database: Kysely<Tables>, { key, role, token }: Hold): Promise<boolean> {
  const { holder, until } = leaseColumns(role);
  const { rows } = await sql`
    update lane set ${until} = clock_timestamp() + ${leaseInterval}
    where channel_id = ${key.channelId} and lane = ${key.lane} and ${holder} = ${token}
    returning 1
  `.execute(database);
  return rows.length > 0;
}

/** Returns true if the lease was released or lost, false if there is more work. */
async function releaseLease(
  database: Kysely<Tables>,
  { key, role, token }: Hold,
  now: Date,
): Promise<boolean> {
  const statement = sql<{ gone: boolean }>`
    select let_go_of_lane(${key.channelId}, ${key.lane}, ${role}, ${token}, ${now}) as gone
  `;
  const [row] = await runPrepared(statement, database);
  return row?.gone ?? true;
}

async function clearLease(database: Kysely<Tables>, { key, role, token }: Hold): Promise<void> {
  const { holder, until } = leaseColumns(role);
  await sql`
    update lane set ${holder} = null, ${until} = null
    where channel_id = ${key.channelId} and lane = ${key.lane} and ${holder} = ${token}
  `.execute(database);
}

/**
 * Throws LaneLeaseLost if the lease is no longer held. Runs in the transaction that stores the lane's results.
 */
export async function assertLeaseHeld(
  transaction: Transaction<Tables>,
  { channelId, lane, token }: HeldLane,
): Promise<void> {
  const { rows } = await sql`
    select 1 from lane where channel_id = ${channelId} and lane = ${lane} and answering = ${token} for update
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
  await sql`select doubt_first_part(channel_id, lane) from lane where sending is not null`.execute(database);
  await database
    .updateTable('lane')
    .set({ answering: null, answering_until: null, sending: null, sending_until: null })
    .where((row) => row.or([row('answering', 'is not', null), row('sending', 'is not', null)]))
    .execute();
  await database
    .updateTable('channel')
    .set({ listening: null, listening_until: null })
    .where('listening', 'is not', null)
    .execute();
  await database
    .updateTable('visitor')
    .set({ asking: null, asking_until: null })
    .where('asking', 'is not', null)
    .execute();
}
