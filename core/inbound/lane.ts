import { randomUUID } from 'node:crypto';
import { type Kysely, sql, type Transaction } from 'kysely';
import type { Clock } from '../clock.ts';
import { linkSignal } from '../contract/abort-signal.ts';
import type { Logger } from '../log.ts';
import { runPrepared } from '../storage/prepared-statements.ts';
import type { Tables } from '../storage/tables/tables.ts';

/** A conversation on a platform: what is said there is answered, and what is answered is sent, in order. */
export interface LaneKey {
  readonly channelId: string;
  readonly lane: string;
}

/** What stands for the visitor's session in a conversation of a channel. */
export function laneSessionId({ channelId, lane }: LaneKey): string {
  return `${channelId}:${lane}`;
}

/** For `sort`: of two processes that lock several lanes, neither waits for the other. */
export function compareLanes(one: LaneKey, other: LaneKey): number {
  return laneSessionId(one) < laneSessionId(other) ? -1 : 1;
}

/** By the database's clock. After so long without a sign of life a lane is another process's. */
export const leaseSeconds = 20;

const leaseInterval = sql`make_interval(secs => ${sql.lit(leaseSeconds)})`;

type LaneRole = 'answering' | 'sending';

/** A lane that nobody else answers, or sends to, for as long as `signal` is not aborted. */
export interface HeldLane extends LaneKey {
  readonly token: string;
  readonly signal: AbortSignal;
}

interface HoldOptions {
  readonly key: LaneKey;
  readonly role: LaneRole;
  /** Aborted when the process ends: the lane is left where it is. */
  readonly signal: AbortSignal;
  /** Whoever shows it has the lane; made up where it is absent. */
  readonly token?: string;
  /** How the lane is taken, where that is not all there is to it; false where somebody else has it. */
  readonly take?: () => Promise<boolean>;
}

/**
 * What came of a round of work: the lane is `left` as it is, or let go of already, or there is more to do for certain;
 * undefined where that has to be looked up.
 */
export type LaneRoundResult = 'left' | 'let go' | 'go on' | undefined;

interface Dependencies {
  readonly database: Kysely<Tables>;
  readonly log: Logger;
  readonly clock: Clock;
}

const renewMs = 5_000;

/**
 * Works in a lane, again and again, until nothing is left to do in it, or until it is `left` as it is. Does nothing where
 * somebody else holds it: who lets go of a lane looks once more, with the lane locked, so what was stored before somebody
 * else was turned away is seen by the holder.
 */
export async function withLaneLease(
  dependencies: Dependencies,
  { key, role, signal, token = randomUUID(), take }: HoldOptions,
  work: (held: HeldLane) => Promise<LaneRoundResult>,
): Promise<void> {
  const { database, log, clock } = dependencies;
  if (!(await (take?.() ?? acquireLease(database, { key, role, token })))) return;
  const { controller: lost, leave } = linkSignal(signal);
  const held: HeldLane = { ...key, token, signal: lost.signal };
  const renewal = setInterval(() => {
    renewLease(database, { key, role, token })
      .then((isOurs) => isOurs || lost.abort(new Error('the lane went to another process')))
      .catch((err: unknown) => log.warn({ err, ...key }, 'the lease of a lane could not be renewed'));
  }, renewMs);
  let isGone = false;
  try {
    while (!isGone && !held.signal.aborted) {
      const round = await work(held);
      if (round === 'left') break;
      if (round === 'go on') continue;
      isGone = round === 'let go' || (await releaseLease(database, { key, role, token }, clock.now()));
    }
  } finally {
    clearInterval(renewal);
    leave();
    if (!isGone) await dropLease(database, { key, role, token });
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

/** True where it was let go, or is not ours any more; false where there is something to do. */
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

async function dropLease(database: Kysely<Tables>, { key, role, token }: Hold): Promise<void> {
  const { holder, until } = leaseColumns(role);
  await sql`
    update lane set ${holder} = null, ${until} = null
    where channel_id = ${key.channelId} and lane = ${key.lane} and ${holder} = ${token}
  `.execute(database);
}

/** Throws where the lane is not held any more, in the transaction of what was done in it. */
export async function assertLeaseHeld(
  transaction: Transaction<Tables>,
  { channelId, lane, token }: HeldLane,
): Promise<void> {
  const { rows } = await sql`
    select 1 from lane where channel_id = ${channelId} and lane = ${lane} and answering = ${token} for update
  `.execute(transaction);
  if (rows.length === 0) throw new LaneLeaseLost();
}

/** Another process has the lane: what this one did in it is not kept. */
export class LaneLeaseLost extends Error {
  constructor() {
    super('the lane went to another process');
    this.name = 'LaneLost';
  }
}

/**
 * What earlier processes held is nobody's: for the only process that can be at its database. Elsewhere another one may have
 * it, and leases run out.
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
