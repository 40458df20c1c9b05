import type { Kysely } from 'kysely';
import { whenSettled } from '../../core/base/async.ts';
import {
  type FindAccount,
  findIntake,
  type OpenAccount,
} from '../../core/channels/accounts/channel-account.ts';
import { acquireListenLease, releaseListenLease } from '../../core/channels/accounts/listen-lease.ts';
import { loadRememberedValues } from '../../core/channels/accounts/remembered-values.ts';
import { createSecretMask } from '../../core/channels/connector-calls.ts';
import { ConnectorError } from '../../core/contract/connector-error.ts';
import type { Runtime } from '../../core/runtime/runtime.ts';
import type { Tables } from '../../core/storage/tables/tables.ts';

export interface ListenerDependencies
  extends Pick<Runtime, 'channelAccounts' | 'clock' | 'connectorCalls' | 'inbound' | 'log'> {
  readonly database: Kysely<Tables>;
  /** Lease token of this process. */
  readonly token: string;
  readonly findAccount: FindAccount;
}

const FIRST_PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 60_000;
/** Maximum pause that a platform can request. */
const MAX_REQUESTED_PAUSE_MS = 60 * 60 * 1_000;

/**
 * Time after which an account version counts as settled, because accounts are cached and a change may be seen
 * late.
 */
const SETTLE_MS = 10_000;

/** An observed account version and when it was first seen. */
interface ObservedVersion {
  readonly version: string;
  readonly since: number;
}

interface Running extends ObservedVersion {
  readonly leaving: AbortController;
  readonly done: Promise<void>;
  /** Credentials and settings at the start. If they change, the listener restarts. */
  readonly keys: string;
}

interface Tended {
  /** Version of the account's credentials and settings. */
  readonly version: string;
  /** True if this process still holds the lease. */
  readonly isHeld: boolean;
}

/** Listens to one channel if no other process does. */
export class Listener {
  readonly #dependencies: ListenerDependencies;
  readonly #channelId: string;
  #running: Running | undefined;
  /** The listener does not retry with the same credentials before this time. */
  #backoff = { keys: '', until: 0 };
  #failures = 0;
  /** The version for which there is nothing to listen to. */
  #notListenable: ObservedVersion | undefined;

  constructor(dependencies: ListenerDependencies, channelId: string) {
    this.#dependencies = dependencies;
    this.#channelId = channelId;
  }

  /** True if this process listens and does not intend to stop. */
  get isListening(): boolean {
    return this.#running !== undefined && !this.#running.leaving.signal.aborted;
  }

  /** Starts, continues, or stops listening, depending on the lease and on changed credentials. */
  async tend({ version, isHeld }: Tended): Promise<void> {
    if (this.#running === undefined) return this.#startIfListenable(version);
    if (!this.isListening) return;
    const isSame = isSettled(this.#running, version) || (await this.#hasCredentials(this.#running.keys));
    if (!isSame || !isHeld) this.#abort();
  }

  async stop(): Promise<void> {
    const { database, token } = this.#dependencies;
    this.#abort();
    await this.#running?.done;
    await releaseListenLease(database, { channelId: this.#channelId, token });
  }

  #abort(): void {
    this.#running?.leaving.abort(new Error('listener stopped'));
  }

  async #hasCredentials(keys: string): Promise<boolean> {
    const open = await this.#dependencies.findAccount(this.#channelId);
    return open !== null && accountVersion(open) === keys;
  }

  async #startIfListenable(version: string): Promise<void> {
    const { database, token, findAccount } = this.#dependencies;
    const now = performance.now();
    if (this.#notListenable !== undefined && isSettled(this.#notListenable, version)) return;
    const open = await findAccount(this.#channelId);
    if (open === null || findIntake(open.connector, open.account) !== 'listener') {
      if (this.#notListenable?.version !== version) this.#notListenable = { version, since: now };
      return;
    }
    if (now < this.#backoff.until && accountVersion(open) === this.#backoff.keys) return;
    if (await acquireListenLease(database, { channelId: this.#channelId, token })) this.#start(open, version);
  }

  #start(open: OpenAccount, version: string): void {
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
      this.#recordActivity(notice ?? null, isNew);
      isNew = false;
    };
    try {
      const cursor = await channelAccounts.cursor(id);
      // A connector that starts after the abort event might never see it.
      if (signal.aborted) return;
      await open.connector.open(open.account).listen?.({
        ...connectorCalls.tools(open.account, signal),
        accept: (deliveries) => inbound.accept(open.account, deliveries),
        alive,
        cursor,
        keep: (next) => channelAccounts.keepCursor(id, next),
        recall: (keys) => loadRememberedValues(this.#dependencies.database, id, keys),
      });
    } catch (error) {
      if (signal.aborted) return;
      this.#backOff(error, accountVersion(open));
      const message =
        error instanceof ConnectorError
          ? error.message
          : 'An internal error occurred. The server log contains the cause.';
      log.warn({ err: error, channel: id }, 'listening to a channel failed');
      await channelAccounts
        .setStatus(id, 'error', createSecretMask(open.account)(message))
        .catch((err: unknown) => log.warn({ err, channel: id }, 'storing the channel status failed'));
    }
  }

  /**
   * The first activity marks the channel as connected. Later activity does not clear errors that the platform
   * reports in the meantime.
   */
  #recordActivity(notice: string | null, isNew: boolean): void {
    this.#failures = 0;
    const { channelAccounts, clock, log } = this.#dependencies;
    const id = this.#channelId;
    Promise.all([
      channelAccounts.recordActivity(id, clock.now()),
      isNew ? channelAccounts.setStatus(id, 'connected', notice) : channelAccounts.keepConnected(id, notice),
    ]).catch((err: unknown) => log.warn({ err, channel: id }, 'storing the channel status failed'));
  }

  #backOff(error: unknown, keys: string): void {
    const pauseMs = Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** this.#failures);
    this.#failures += 1;
    this.#backoff = { keys, until: performance.now() + Math.max(pauseMs, requestedPauseMs(error)) };
  }
}

function accountVersion({ account }: OpenAccount): string {
  return JSON.stringify([account.credentials, account.settings]);
}

function isSettled(observed: ObservedVersion, version: string): boolean {
  return observed.version === version && performance.now() - observed.since > SETTLE_MS;
}

function requestedPauseMs(error: unknown): number {
  if (!(error instanceof ConnectorError) || error.advice.retry !== 'after') return 0;
  return Math.min(error.advice.afterMs, MAX_REQUESTED_PAUSE_MS);
}
