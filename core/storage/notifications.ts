import { runInBackground } from '../async.ts';
import type { Logger } from '../log.ts';
import type { DatabasePool } from './database.ts';
import { EmbeddedPool } from './embedded/embedded-pool.ts';

interface Dependencies {
  readonly pool: DatabasePool;
  /** What `pg_notify` is told to, with a key as its payload; a plain name. */
  readonly channel: string;
  readonly log: Pick<Logger, 'warn'>;
}

/**
 * Tells those who wait for a key that something happened under it, in whichever process. What it was has to be looked
 * up: who may have missed something is told as well. The connection is opened when somebody waits for the first time.
 */
export class Notifications {
  readonly #waiting = new Map<string, Set<() => void>>();
  readonly #notices: NotificationListener;

  constructor(dependencies: Dependencies) {
    this.#notices = new NotificationListener({ ...dependencies, hear: (key) => this.#hear(key) });
  }

  /** From when it resolves on `tell` is called; until the returned function is. */
  async listen(key: string, tell: () => void): Promise<() => void> {
    const others = this.#waiting.get(key) ?? new Set();
    this.#waiting.set(key, others.add(tell));
    await this.#notices.open();
    return () => {
      others.delete(tell);
      if (others.size === 0 && this.#waiting.get(key) === others) this.#waiting.delete(key);
    };
  }

  close(): Promise<void> {
    return this.#notices.close();
  }

  #hear(key: string | null): void {
    const told = key === null ? [...this.#waiting.values()] : [this.#waiting.get(key) ?? []];
    for (const waiting of told) for (const tell of [...waiting]) tell();
  }
}

interface Options {
  readonly pool: DatabasePool;
  /** What `pg_notify` was told to; a plain name. */
  readonly channel: string;
  readonly log: Pick<Logger, 'warn'>;
  /** Null where some may have been missed. */
  readonly hear: (payload: string | null) => void;
}

interface Client {
  query(text: string): Promise<unknown>;
  release(): void;
}

interface NotificationHandlers {
  readonly heard: (notice: { readonly channel: string; readonly payload?: string | undefined }) => void;
  readonly lost: (error: unknown) => void;
}

const retryMs = 1_000;

/** Listens to the notices of the database, on a connection of its own, until `close`; a lost one is opened again. */
class NotificationListener {
  readonly #options: Options;
  #client: Promise<Client> | undefined;
  #retry: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(options: Options) {
    this.#options = options;
  }

  /** Resolves when everything from now on is heard, or when it has to be tried again. */
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
      // The connection is gone, and what it listened to with it.
    });
    client.release();
  }

  async #listen(): Promise<Client> {
    const { pool, channel, hear } = this.#options;
    const client = await connect(pool, {
      heard: (notice) => notice.channel === channel && hear(notice.payload ?? null),
      lost: (error) => this.#lost(this.#client, error),
    });
    await client.query(`listen ${channel}`);
    return client;
  }

  #lost(client: Promise<Client> | undefined, err: unknown): void {
    if (this.#closed || client === undefined || client !== this.#client) return;
    this.#options.log.warn({ err }, 'the notices of the database are not heard any more: trying again');
    this.#client = undefined;
    client.then(
      (lost) => lost.release(),
      () => {},
    );
    const { log } = this.#options;
    this.#retry = setTimeout(() => {
      runInBackground(this.#reopen(), (error) => log.warn({ err: error }, 'reopening notices failed'));
    }, retryMs);
    this.#retry.unref();
  }

  async #reopen(): Promise<void> {
    await this.open();
    this.#options.hear(null);
  }
}

async function connect(pool: DatabasePool, { heard, lost }: NotificationHandlers): Promise<Client> {
  if (pool instanceof EmbeddedPool) {
    const client = await pool.connect();
    client.on('notification', heard);
    return client;
  }
  const client = await pool.connect();
  client.on('notification', heard);
  client.on('error', lost);
  client.on('end', () => lost('the connection ended'));
  return client;
}
