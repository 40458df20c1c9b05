import { EventEmitter } from 'node:events';
import { runInBackground } from '../../base/async.ts';
import type { DatabaseThread, EmbeddedResult, EmbeddedStatement } from './database-thread.ts';

type QueryInput = string | EmbeddedStatement;

/** The next statement is queued while one runs. More would delay urgent ones. */
const MAX_IN_FLIGHT = 2;

interface SessionOrder {
  readonly mutex: QueryMutex;
  readonly isAhead: boolean;
  readonly channels: SessionChannels;
}

/** A channel that the session listens to. */
interface SessionChannel {
  readonly clients: Set<EmbeddedClient>;
  readonly listening: Promise<EmbeddedResult>;
}

/**
 * The channels of the one session, with the clients that listen to each: the session listens to a channel from the first
 * client to the last. A client that stops listening takes nothing from another.
 */
class SessionChannels {
  readonly #channels = new Map<string, SessionChannel>();

  constructor(thread: DatabaseThread) {
    thread.onNotification((channel, payload) => {
      for (const client of [...(this.#channels.get(channel)?.clients ?? [])]) {
        client.emit('notification', { channel, payload });
      }
    });
  }

  /** `run` sends the statement. The session receives statements in the order in which they are sent. */
  async listen(name: string, client: EmbeddedClient, run: RunStatement): Promise<EmbeddedResult> {
    const channel = this.#channels.get(name) ?? { clients: new Set(), listening: run(`listen ${name}`) };
    this.#channels.set(name, channel);
    channel.clients.add(client);
    try {
      return await channel.listening;
    } catch (error) {
      if (this.#channels.get(name) === channel) this.#channels.delete(name);
      throw error;
    }
  }

  async unlisten(name: string, client: EmbeddedClient, run: RunStatement): Promise<EmbeddedResult> {
    const names = name === '*' ? [...this.#channels.keys()] : [name];
    let result = noRows;
    for (const each of names) {
      const clients = this.#channels.get(each)?.clients;
      if (clients?.delete(client) !== true || clients.size > 0) continue;
      this.#channels.delete(each);
      result = await run(`unlisten ${each}`);
    }
    return result;
  }
}

type RunStatement = (text: string) => Promise<EmbeddedResult>;

const noRows: EmbeddedResult = { command: 'UNLISTEN', rowCount: null, oid: 0, rows: [], fields: [] };

/**
 * Implements the interface of `pg.Pool` on one embedded session: any number of clients, whose statements take
 * turns and whose transactions never interleave. A client receives the notifications of the channels that it listens to.
 */
export class EmbeddedPool extends EventEmitter {
  readonly options = { keepAlive: true, max: Number.POSITIVE_INFINITY };
  readonly #thread: DatabaseThread;
  readonly #order: SessionOrder;

  constructor(
    thread: DatabaseThread,
    order: SessionOrder = {
      mutex: new QueryMutex(MAX_IN_FLIGHT),
      isAhead: false,
      channels: new SessionChannels(thread),
    },
  ) {
    super();
    this.setMaxListeners(0);
    this.#thread = thread;
    this.#order = order;
  }

  /** Returns a pool on the same session whose statements go before waiting ones. */
  ahead(): EmbeddedPool {
    return new EmbeddedPool(this.#thread, { ...this.#order, isAhead: true });
  }

  async connect(): Promise<EmbeddedClient> {
    return new EmbeddedClient(this.#thread, this.#order);
  }

  async query(input: QueryInput, values?: readonly unknown[]): Promise<EmbeddedResult> {
    const client = await this.connect();
    try {
      return await client.query(input, values);
    } finally {
      client.release();
    }
  }

  /** The session outlives the pool and is closed together with the database. */
  async end(): Promise<void> {}
}

/** The command and its channel, a plain identifier. The queue's library writes it in capitals. */
const LISTENING = /^(listen|unlisten) (\*|\w+);?$/iu;

class EmbeddedClient extends EventEmitter {
  readonly #thread: DatabaseThread;
  readonly #order: SessionOrder;
  #inTransaction = false;
  #hasListened = false;

  constructor(thread: DatabaseThread, order: SessionOrder) {
    super();
    this.setMaxListeners(0);
    this.#thread = thread;
    this.#order = order;
  }

  async query(input: QueryInput, values?: readonly unknown[]): Promise<EmbeddedResult> {
    const statement = typeof input === 'string' ? { text: input, values } : input;
    const { channels } = this.#order;
    const run = (text: string) => this.#run({ text });
    const [, command = '', channel = ''] = LISTENING.exec(lastLine(statement.text)) ?? [];
    switch (command.toLowerCase()) {
      case 'listen':
        this.#hasListened = true;
        return channels.listen(channel, this, run);
      case 'unlisten':
        return channels.unlisten(channel, this, run);
    }
    return this.#run(statement);
  }

  async #run(statement: EmbeddedStatement): Promise<EmbeddedResult> {
    const { mutex, isAhead } = this.#order;
    const command = statement.text.trimStart().slice(0, 20).toLowerCase();
    const startsTransaction = command.startsWith('begin') || command.startsWith('start transaction');
    await mutex.enter(this, { isAhead, isAlone: startsTransaction });
    if (startsTransaction) this.#inTransaction = true;
    try {
      return await this.#thread.run(statement);
    } finally {
      if (endsTransaction(command)) this.#inTransaction = false;
      if (!this.#inTransaction) mutex.leave(this);
    }
  }

  /** Rolls back an open transaction, so that it is not left to the next client, and stops listening. */
  release(): void {
    // Both fail only if the database thread is gone, and the session with it. `died` reports that.
    const ignore = () => {};
    if (this.#inTransaction) runInBackground(this.#run({ text: 'rollback' }), ignore);
    if (this.#hasListened) runInBackground(this.query('unlisten *'), ignore);
  }
}

/** The queue's library writes lines of comment above a command. */
function lastLine(text: string): string {
  const end = text.trimEnd();
  return end.slice(end.lastIndexOf('\n') + 1);
}

function endsTransaction(command: string): boolean {
  return /^(commit|end|rollback(?! to))\b/.test(command);
}

interface QueuedEntry {
  readonly owner: object;
  readonly isAlone: boolean;
  readonly enter: () => void;
}

interface EntryOptions {
  /** Goes before all entries that are not ahead. */
  readonly isAhead?: boolean;
  /** No other entry is admitted until it leaves, as a transaction requires. */
  readonly isAlone?: boolean;
}

/**
 * Orders the statements of one session, which runs them one by one. A few may be in flight, so that the session
 * never waits for the next one. The others wait in order.
 */
export class QueryMutex {
  readonly #max: number;
  readonly #inside = new Set<object>();
  readonly #ahead: QueuedEntry[] = [];
  readonly #waiting: QueuedEntry[] = [];
  #alone: object | null = null;

  constructor(max: number) {
    this.#max = max;
  }

  /** Resolves when `owner` may run a statement, at once if it is already inside. */
  enter(owner: object, { isAhead = false, isAlone = false }: EntryOptions = {}): Promise<void> {
    if (this.#inside.has(owner)) return Promise.resolve();
    const entered = new Promise<void>((enter) => {
      (isAhead ? this.#ahead : this.#waiting).push({ owner, isAlone, enter });
    });
    this.#admit();
    return entered;
  }

  leave(owner: object): void {
    this.#inside.delete(owner);
    if (this.#alone === owner) this.#alone = null;
    this.#admit();
  }

  #admit(): void {
    for (;;) {
      const queue = this.#ahead.length > 0 ? this.#ahead : this.#waiting;
      const [next] = queue;
      if (next === undefined || this.#alone !== null || this.#inside.size >= this.#max) return;
      queue.shift();
      this.#inside.add(next.owner);
      if (next.isAlone) this.#alone = next.owner;
      next.enter();
    }
  }
}
