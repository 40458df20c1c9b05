import type { Kysely } from 'kysely';
import { intakeOf } from '../channels/intake-of.ts';
import { withoutSecrets } from '../channels/without-secrets.ts';
import { ConnectorError } from '../contract/connector-error.ts';
import type { Runtime } from '../runtime.ts';
import type { Tables } from '../storage/tables.ts';
import { dropListening, takeListening } from './listen-lease.ts';
import type { FindAccount, OpenAccount } from './open-account.ts';
import { recall } from './recall.ts';

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

interface Running {
  readonly leaving: AbortController;
  readonly done: Promise<void>;
  /** What it was begun with: with other ones it begins anew. */
  readonly keys: string;
}

/** One channel that this process listens to, where no other does. */
export class Listener {
  readonly #dependencies: ListenerDependencies;
  readonly #channelId: string;
  #running: Running | undefined;
  /** Until when it is not tried again with the same keys. */
  #rest = { keys: '', until: 0 };
  #failures = 0;

  constructor(dependencies: ListenerDependencies, channelId: string) {
    this.#dependencies = dependencies;
    this.#channelId = channelId;
  }

  /** Renews the lease, or takes it and begins; ends where another process has it. */
  async tend(): Promise<void> {
    const { database, token, findAccount } = this.#dependencies;
    const held = { channelId: this.#channelId, token };
    const open = await findAccount(this.#channelId);
    if (this.#running !== undefined) {
      const isSame = open !== null && keysOf(open) === this.#running.keys;
      if (!isSame || !(await takeListening(database, held))) await this.#leave();
      return;
    }
    if (open === null || intakeOf(open.connector, open.account) !== 'listener') return;
    if (performance.now() < this.#rest.until && keysOf(open) === this.#rest.keys) return;
    if (await takeListening(database, held)) this.#begin(open);
  }

  async stop(): Promise<void> {
    const { database, token } = this.#dependencies;
    await this.#leave();
    await dropListening(database, { channelId: this.#channelId, token });
  }

  #begin(open: OpenAccount): void {
    const leaving = new AbortController();
    const done = this.#listen(open, leaving.signal).finally(() => {
      this.#running = undefined;
    });
    this.#running = { leaving, done, keys: keysOf(open) };
  }

  async #leave(): Promise<void> {
    this.#running?.leaving.abort(new Error('listening ends here'));
    await this.#running?.done;
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
      await open.connector.listen?.(open.account, {
        ...connectorCalls.tools(signal),
        accept: (deliveries) => inbound.accept(open.account, deliveries),
        alive,
        cursor: await channelAccounts.cursor(id),
        keep: (next) => channelAccounts.keepCursor(id, next),
        recall: (keys) => recall(this.#dependencies.database, id, keys),
      });
    } catch (error) {
      if (signal.aborted) return;
      this.#restAfter(error, keysOf(open));
      const words = error instanceof ConnectorError ? error.message : 'Something went wrong on our side.';
      log.warn({ err: error, channel: id }, 'a channel is not listened to');
      await channelAccounts
        .setStatus(id, 'error', withoutSecrets(open.account)(words))
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
      channelAccounts.heard(id, clock.now()),
      isNew ? channelAccounts.setStatus(id, 'connected', notice) : channelAccounts.keepConnected(id, notice),
    ]).catch((err: unknown) => log.warn({ err, channel: id }, 'the state of a channel could not be stored'));
  }

  #restAfter(error: unknown, keys: string): void {
    const pauseMs = Math.min(longestPauseMs, firstPauseMs * 2 ** this.#failures);
    this.#failures += 1;
    this.#rest = { keys, until: performance.now() + Math.max(pauseMs, toldMs(error)) };
  }
}

function keysOf({ account }: OpenAccount): string {
  return JSON.stringify([account.credentials, account.settings]);
}

function toldMs(error: unknown): number {
  if (!(error instanceof ConnectorError) || error.advice.retry !== 'after') return 0;
  return Math.min(error.advice.afterMs, longestToldMs);
}
