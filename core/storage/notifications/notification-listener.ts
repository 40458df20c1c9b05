import { runInBackground } from '../../base/async.ts';
import type { Wait } from '../../base/clock.ts';
import type { Logger } from '../../base/log.ts';
import type { DatabasePool } from '../database.ts';
import { EmbeddedPool } from '../embedded/embedded-pool.ts';

interface Options {
  readonly pool: DatabasePool;
  readonly wait: Wait;
  readonly log: Pick<Logger, 'warn'>;
  readonly onPayload: (channel: string, payload: string) => void;
  /** Called when a lost connection is back and listens to all channels again: notifications may have been missed. */
  readonly onReopened: () => void;
}

interface Client {
  query(text: string): Promise<unknown>;
  /** Gives the connection up, with everything that it listens to. */
  drop(): void;
}

const RETRY_MS = 1_000;

/**
 * Listens to channels of the database on one connection of its own, which is opened for the first channel and closed with
 * the last one. Reconnects after a loss. Channels are plain identifiers.
 */
export class NotificationListener {
  readonly #options: Options;
  readonly #channels = new Set<string>();
  readonly #closed = new AbortController();
  #client: Promise<Client> | undefined;
  #isConnected = false;
  #hasMissed = false;

  constructor(options: Options) {
    this.#options = options;
  }

  /** Whether the connection is open, as far as this process knows. */
  get isConnected(): boolean {
    return this.#isConnected;
  }

  /** Resolves when notifications of the channel are received, or when a retry is scheduled. */
  async listen(channel: string): Promise<void> {
    this.#channels.add(channel);
    const opened = this.#client;
    if (opened === undefined) return this.#connect();
    try {
      await (await opened).query(`listen ${channel}`);
    } catch (error) {
      this.#lost(opened, error);
    }
  }

  unlisten(channel: string): void {
    this.#channels.delete(channel);
    if (this.#channels.size === 0) {
      this.#hangUp();
      return;
    }
    const opened = this.#client;
    if (opened === undefined) return;
    const ended = opened.then((client) => client.query(`unlisten ${channel}`));
    runInBackground(ended, (error) => this.#lost(opened, error));
  }

  /** Gives up a connection that brings nothing any more, and opens another. */
  reopen(): void {
    this.#lost(this.#client, 'no heartbeat');
  }

  close(): void {
    this.#closed.abort();
    this.#channels.clear();
    this.#hangUp();
  }

  #hangUp(): void {
    const opened = this.#client;
    this.#client = undefined;
    this.#isConnected = false;
    drop(opened);
  }

  async #connect(): Promise<void> {
    if (this.#closed.signal.aborted || this.#client !== undefined) return;
    const opening = this.#open();
    this.#client = opening;
    try {
      await opening;
    } catch (error) {
      this.#lost(opening, error);
      return;
    }
    if (this.#client !== opening) return;
    this.#isConnected = true;
    if (!this.#hasMissed) return;
    this.#hasMissed = false;
    this.#options.onReopened();
  }

  async #open(): Promise<Client> {
    const { pool, onPayload } = this.#options;
    const client: Client = await connect(pool, {
      onNotification: ({ channel, payload }) => onPayload(channel, payload ?? ''),
      onLost: (error) => this.#lost(this.#client, error),
    });
    try {
      for (const channel of this.#channels) await client.query(`listen ${channel}`);
    } catch (error) {
      client.drop();
      throw error;
    }
    return client;
  }

  #lost(client: Promise<Client> | undefined, err: unknown): void {
    if (client === undefined || client !== this.#client) return;
    const { log, wait } = this.#options;
    log.warn({ err }, 'notification connection lost');
    this.#hangUp();
    this.#hasMissed = true;
    const { signal } = this.#closed;
    const retried = wait(RETRY_MS, signal).then(() =>
      this.#channels.size > 0 ? this.#connect() : undefined,
    );
    runInBackground(retried, (error) => {
      if (!signal.aborted) log.warn({ err: error }, 'reopening the notification connection failed');
    });
  }
}

function drop(opened: Promise<Client> | undefined): void {
  opened?.then(
    (client) => client.drop(),
    () => {
      // It never opened, and `connect` has logged why.
    },
  );
}

interface NotificationHandlers {
  readonly onNotification: (notice: {
    readonly channel: string;
    readonly payload?: string | undefined;
  }) => void;
  readonly onLost: (error: unknown) => void;
}

async function connect(
  pool: DatabasePool,
  { onNotification, onLost }: NotificationHandlers,
): Promise<Client> {
  if (pool instanceof EmbeddedPool) {
    const client = await pool.connect();
    client.on('notification', onNotification);
    return { query: (text) => client.query(text), drop: () => client.release() };
  }
  const client = await pool.connect();
  const onEnd = () => onLost('the connection ended');
  client.on('notification', onNotification);
  client.on('error', onLost);
  client.on('end', onEnd);
  return {
    query: (text) => client.query(text),
    drop: () => {
      client.off('notification', onNotification);
      client.off('error', onLost);
      client.off('end', onEnd);
      // The connection ends, because another user of the pool would receive what it listens to.
      client.release(true);
    },
  };
}
