import { runInBackground } from '../async.ts';
import type { Logger } from '../log.ts';
import type { DatabasePool } from './database.ts';
import { EmbeddedPool } from './embedded/embedded-pool.ts';

interface Dependencies {
  readonly pool: DatabasePool;
  /** Name of the PostgreSQL channel, a plain identifier. The first word of a payload is the key. */
  readonly channel: string;
  readonly log: Pick<Logger, 'warn'>;
}

/** Receives the payload after the key, or null if notifications may have been missed. */
type Notify = (news: string | null) => void;

/** Milliseconds for which the connection stays open without subscribers. */
const LINGER_MS = 30_000;

/**
 * Notifies subscribers of a key across processes. The event itself must be looked up. After a lost connection
 * all subscribers are notified, because they may have missed something. The connection is opened for the first
 * subscriber, and closed half a minute after the last one left.
 */
export class Notifications {
  readonly #waiting = new Map<string, Set<Notify>>();
  readonly #listener: NotificationListener;
  #lingering: NodeJS.Timeout | undefined;

  constructor(dependencies: Dependencies) {
    this.#listener = new NotificationListener({
      ...dependencies,
      onPayload: (payload) => this.#notify(payload),
    });
  }

  /**
   * Subscribes to a key. `notify` is called from when the promise resolves until the returned function is
   * called.
   */
  async listen(key: string, notify: Notify): Promise<() => void> {
    clearTimeout(this.#lingering);
    const subscribed = this.#waiting.get(key) ?? new Set();
    this.#waiting.set(key, subscribed.add(notify));
    await this.#listener.open();
    return () => {
      subscribed.delete(notify);
      if (subscribed.size === 0 && this.#waiting.get(key) === subscribed) this.#waiting.delete(key);
      if (this.#waiting.size === 0) this.#linger();
    };
  }

  async close(): Promise<void> {
    clearTimeout(this.#lingering);
    await this.#listener.close();
  }

  #linger(): void {
    clearTimeout(this.#lingering);
    this.#lingering = setTimeout(() => this.#listener.rest(), LINGER_MS);
    this.#lingering.unref();
  }

  #notify(payload: string | null): void {
    if (payload === null) {
      for (const subscribed of [...this.#waiting.values()])
        for (const notify of [...subscribed]) notify(null);
      return;
    }
    const end = payload.indexOf(' ');
    const key = end === -1 ? payload : payload.slice(0, end);
    const news = end === -1 ? '' : payload.slice(end + 1);
    for (const notify of [...(this.#waiting.get(key) ?? [])]) notify(news);
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
    await this.#hangUp();
  }

  /** Closes the connection until the next `open`. */
  rest(): void {
    runInBackground(this.#hangUp(), (err) =>
      this.#options.log.warn({ err }, 'closing the notification connection failed'),
    );
  }

  async #hangUp(): Promise<void> {
    clearTimeout(this.#retry);
    const opened = this.#client;
    this.#client = undefined;
    const client = await opened?.catch(() => undefined);
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
  const onEnd = () => onLost('the connection ended');
  client.on('notification', onNotification);
  client.on('error', onLost);
  client.on('end', onEnd);
  return {
    query: (text) => client.query(text),
    // The connection goes back to the pool, whose other users are not ours to listen to.
    release: () => {
      client.off('notification', onNotification);
      client.off('error', onLost);
      client.off('end', onEnd);
      client.release();
    },
  };
}
