import { type Kysely, sql } from 'kysely';
import { whenSettled } from '../../core/async.ts';
import { type FindAccount, findIntake, type OpenAccount } from '../../core/channels/channel-account.ts';
import { createSecretMask } from '../../core/channels/connector-calls.ts';
import type { Json } from '../../core/contract/account.ts';
import { ConnectorError } from '../../core/contract/connector-error.ts';
import type { Runtime } from '../../core/runtime.ts';
import type { Tables } from '../../core/storage/tables/tables.ts';
import { storedJson } from '../../core/text.ts';

export interface ListenerDependencies
  extends Pick<Runtime, 'channelAccounts' | 'clock' | 'connectorCalls' | 'inbound' | 'log'> {
  readonly database: Kysely<Tables>;
  /** Of this process. */
  readonly token: string;
  readonly findAccount: FindAccount;
}

const firstPauseMs = 1_000;
const longestPauseMs = 60_000;
/** Where a platform says for how long it will not have us. */
const longestToldMs = 60 * 60 * 1_000;

/** A change may be heard of that late: accounts are kept for a moment. */
const settledMs = 10_000;

/** What was seen of a version, and since when: for good only a little later. */
interface Seen {
  readonly version: string;
  readonly since: number;
}

interface Running extends Seen {
  readonly leaving: AbortController;
  readonly done: Promise<void>;
  /** What it was begun with: with other ones it begins anew. */
  readonly keys: string;
}

interface Tended {
  /** Of its keys, by which it is seen that they changed. */
  readonly version: string;
  /** Whether the lease, where it had one, is still this process's. */
  readonly isHeld: boolean;
}

/** One channel that this process listens to, where no other does. */
export class Listener {
  readonly #dependencies: ListenerDependencies;
  readonly #channelId: string;
  #running: Running | undefined;
  /** Until when it is not tried again with the same keys. */
  #rest = { keys: '', until: 0 };
  #failures = 0;
  /** That nothing is to be listened to. */
  #unwanted: Seen | undefined;

  constructor(dependencies: ListenerDependencies, channelId: string) {
    this.#dependencies = dependencies;
    this.#channelId = channelId;
  }

  /** Whether this process listens, and wants to go on with it. */
  get isListening(): boolean {
    return this.#running !== undefined && !this.#running.leaving.signal.aborted;
  }

  /** Begins, goes on, or ends where another process has it or its keys changed. */
  async tend({ version, isHeld }: Tended): Promise<void> {
    if (this.#running === undefined) return this.#beginWhereWanted(version);
    if (!this.isListening) return;
    const isSame = isSettled(this.#running, version) || (await this.#hasKeys(this.#running.keys));
    if (!isSame || !isHeld) this.#leave();
  }

  async stop(): Promise<void> {
    const { database, token } = this.#dependencies;
    this.#leave();
    await this.#running?.done;
    await releaseListenLease(database, { channelId: this.#channelId, token });
  }

  #leave(): void {
    this.#running?.leaving.abort(new Error('listening ends here'));
  }

  async #hasKeys(keys: string): Promise<boolean> {
    const open = await this.#dependencies.findAccount(this.#channelId);
    return open !== null && accountVersion(open) === keys;
  }

  async #beginWhereWanted(version: string): Promise<void> {
    const { database, token, findAccount } = this.#dependencies;
    const now = performance.now();
    if (this.#unwanted !== undefined && isSettled(this.#unwanted, version)) return;
    const open = await findAccount(this.#channelId);
    if (open === null || findIntake(open.connector, open.account) !== 'listener') {
      if (this.#unwanted?.version !== version) this.#unwanted = { version, since: now };
      return;
    }
    if (now < this.#rest.until && accountVersion(open) === this.#rest.keys) return;
    if (await acquireListenLease(database, { channelId: this.#channelId, token })) this.#begin(open, version);
  }

  #begin(open: OpenAccount, version: string): void {
    const leaving = new AbortController();
    const done = this.#listen(open, leaving.signal);
    this.#running = { version, since: performance.now(), leaving, done, keys: accountVersion(open) };
    whenSettled(done, () => {
      this.#running = undefined;
    });
  }

  async #listen(open: OpenAccount, signal: AbortSignal): Promise<void> {
    const { log, channelAccounts, connectorCalls, inbound } = this.#dependencies;
    const id = this.#channelId;
    let isNew = true;
    const alive = (notice?: string) => {
      this.#heard(notice ?? null, isNew);
      isNew = false;
    };
    try {
      const cursor = await channelAccounts.cursor(id);
      // Whoever begins after the end may wait for it for ever.
      if (signal.aborted) return;
      await open.connector.listen?.(open.account, {
        ...connectorCalls.tools(open.account, signal),
        accept: (deliveries) => inbound.accept(open.account, deliveries),
        alive,
        cursor,
        keep: (next) => channelAccounts.keepCursor(id, next),
        recall: (keys) => loadRememberedValues(this.#dependencies.database, id, keys),
      });
    } catch (error) {
      if (signal.aborted) return;
      this.#restAfter(error, accountVersion(open));
      const words = error instanceof ConnectorError ? error.message : 'Something went wrong on our side.';
      log.warn({ err: error, channel: id }, 'a channel is not listened to');
      await channelAccounts
        .setStatus(id, 'error', createSecretMask(open.account)(words))
        .catch((err: unknown) =>
          log.warn({ err, channel: id }, 'the state of a channel could not be stored'),
        );
    }
  }

  /** Whoever begins to listen makes good what kept him from it, and not what the platform refuses meanwhile. */
  #heard(notice: string | null, isNew: boolean): void {
    this.#failures = 0;
    const { channelAccounts, clock, log } = this.#dependencies;
    const id = this.#channelId;
    Promise.all([
      channelAccounts.recordActivity(id, clock.now()),
      isNew ? channelAccounts.setStatus(id, 'connected', notice) : channelAccounts.keepConnected(id, notice),
    ]).catch((err: unknown) => log.warn({ err, channel: id }, 'the state of a channel could not be stored'));
  }

  #restAfter(error: unknown, keys: string): void {
    const pauseMs = Math.min(longestPauseMs, firstPauseMs * 2 ** this.#failures);
    this.#failures += 1;
    this.#rest = { keys, until: performance.now() + Math.max(pauseMs, toldMs(error)) };
  }
}

function accountVersion({ account }: OpenAccount): string {
  return JSON.stringify([account.credentials, account.settings]);
}

function isSettled(seen: Seen, version: string): boolean {
  return seen.version === version && performance.now() - seen.since > settledMs;
}

function toldMs(error: unknown): number {
  if (!(error instanceof ConnectorError) || error.advice.retry !== 'after') return 0;
  return Math.min(error.advice.afterMs, longestToldMs);
}

interface Held {
  readonly channelId: string;
  readonly token: string;
}

/** By the database's clock. Another process takes over a little later than that. */
const LEASE = sql`interval '10 seconds'`;

/** Of a row of `channel`: whether nobody but the holder of this token listens to it. */
export function canListen(token: string) {
  return sql<boolean>`(listening is null or listening = ${token} or listening_until < clock_timestamp())`;
}

/** True where this process alone listens to the channel from now on. */
async function acquireListenLease(database: Kysely<Tables>, { channelId, token }: Held): Promise<boolean> {
  const { rows } = await sql`
    update channel set listening = ${token}, listening_until = clock_timestamp() + ${LEASE}
    where id = ${channelId} and enabled and ${canListen(token)}
    returning 1
  `.execute(database);
  return rows.length > 0;
}

/** Which of the channels that this process listens to are still its own. */
export async function renewListenLease(
  database: Kysely<Tables>,
  { channelIds, token }: { readonly channelIds: readonly string[]; readonly token: string },
): Promise<ReadonlySet<string>> {
  if (channelIds.length === 0) return new Set();
  const { rows } = await sql<{ id: string }>`
    update channel set listening_until = clock_timestamp() + ${LEASE}
    where id = any (${channelIds}) and enabled and listening = ${token}
    returning id
  `.execute(database);
  return new Set(rows.map(({ id }) => id));
}

async function releaseListenLease(database: Kysely<Tables>, { channelId, token }: Held): Promise<void> {
  await sql`
    update channel set listening = null, listening_until = null where id = ${channelId} and listening = ${token}
  `.execute(database);
}

/** What deliveries of a channel, or of one that is under it, asked to remember under these keys. */
export async function loadRememberedValues(
  database: Kysely<Tables>,
  channelId: string,
  keys: readonly string[],
): Promise<ReadonlyMap<string, Json>> {
  if (keys.length === 0) return new Map();
  const rows = await database
    .selectFrom('channel_memory')
    .select(['key', 'value'])
    .where('channel_id', 'in', (from) =>
      from
        .selectFrom('channel')
        .select('id')
        .where((where) => where.or([where('id', '=', channelId), where('parent_id', '=', channelId)])),
    )
    .where('key', 'in', [...new Set(keys)])
    .execute();
  return new Map(rows.map(({ key, value }) => [key, storedJson.parse(value)]));
}
