import { runInBackground } from '../async.ts';
import type { Logger } from '../log.ts';
import type { DatabasePool } from './database.ts';
import { EmbeddedPool } from './embedded/embedded-pool.ts';

interface Dependencies {
  readonly pool: DatabasePool;
  /** Name of the PostgreSQL channel, a plain identifier. The payload is the key. */
  readonly channel: string;
  readonly log: Pick<Logger, 'warn'>;
}

/**
 * Notifies subscribers of a key across processes. The event itself must be looked up. After a lost connection
 * all subscribers are notified, because they may have missed something. The connection is opened for the first
 * subscriber.
 */
export class Notifications {
  readonly #waiting = new Map<string, Set<() => void>>();
  readonly #listener: NotificationListener;

  constructor(dependencies: Dependencies) {
    this.#listener = new NotificationListener({ ...dependencies, onPayload: (key) => this.#notify(key) });
  }

  /**
   * Subscribes to a key. `notify` is called from when the promise resolves until the returned function is
   * called.
   */
  async listen(key: string, notify: () => void): Promise<() => void> {
    const subscribed = this.#waiting.get(key) ?? new Set();
    this.#waiting.set(key, subscribed.add(notify));
    await this.#listener.open();
    return () => {
      subscribed.delete(notify);
      if (subscribed.size === 0 && this.#waiting.get(key) === subscribed) this.#waiting.delete(key);
    };
  }

  close(): Promise<void> {
    return this.#listener.close();
  }

  #notify(key: string | null): void {
    const subscribers = key === null ? [...this.#waiting.values()] : [this.#waiting.get(key) ?? []];
    for (const waiting of subscribers) for (const notify of [...waiting]) notify();
  }
}

interface Options {
  readonly pool: DatabasePool;
  /** Name of the PostgreSQL channel, a plain identifier. */
  readonly channel: string;
  readonly log: Pick<Logger, 'warn'>;
  /** Called with null if notifications may have been missed. */
  readonly onPayload: (payload: string | null) => void;
}

interface Client {
  query(text: string): Promise<unknown>;
  release(): void;
}

interface NotificationHandlers {
  readonly onNotification: (notice: {
    readonly channel: string;
    readonly payload?: string | undefined;
  }) => void;
  readonly onLost: (error: unknown) => void;
}

const RETRY_MS = 1_000;

/**
 * Listens to the notifications of the database on a connection of its own until `close`. Reconnects after a
 * loss.
 */
class NotificationListener {
  readonly #options: Options;
  #client: Promise<Client> | undefined;
  #retry: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(options: Options) {
    this.#options = options;
  }

  /** Resolves when notifications are received, or when a retry is scheduled. */
  async open(): Promise<void> {
    if (this.#closed) return;
    const opening = this.#client ?? this.#listen();
    this.#client = opening;
    await opening.catch((error: unknown) => this.#lost(opening, error));
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#retry);
    const client = await this.#client?.catch(() => undefined);
    if (client === undefined) return;
    await client.query('unlisten *').catch(() => {
      // The connection is gone, and its subscriptions with it.
    });
    client.release();
  }

  async #listen(): Promise<Client> {
    const { pool, channel, onPayload } = this.#options;
    const client = await connect(pool, {
      onNotification: (notice) => notice.channel === channel && onPayload(notice.payload ?? null),
      onLost: (error) => this.#lost(this.#client, error),
    });
    await client.query(`listen ${channel}`);
    return client;
  }

  #lost(client: Promise<Client> | undefined, err: unknown): void {
    if (this.#closed || client === undefined || client !== this.#client) return;
    this.#options.log.warn({ err }, 'notification connection lost');
    this.#client = undefined;
    client.then(
      (onLost) => onLost.release(),
      () => {},
    );
    const { log } = this.#options;
    this.#retry = setTimeout(() => {
      runInBackground(this.#reopen(), (error) =>
        log.warn({ err: error }, 'reopening the notification connection failed'),
      );
    }, RETRY_MS);
    this.#retry.unref();
  }

  async #reopen(): Promise<void> {
    await this.open();
    this.#options.onPayload(null);
  }
}

async function connect(
  pool: DatabasePool,
  { onNotification, onLost }: NotificationHandlers,
): Promise<Client> {
  if (pool instanceof EmbeddedPool) {
    const client = await pool.connect();
    client.on('notification', onNotification);
    return client;
  }
  const client = await pool.connect();
  client.on('notification', onNotification);
  client.on('error', onLost);
  client.on('end', () => onLost('the connection ended'));
  return client;
}
