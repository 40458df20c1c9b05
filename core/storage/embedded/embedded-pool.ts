import { EventEmitter } from 'node:events';
import type { DatabaseThread, EmbeddedResult, EmbeddedStatement } from './database-thread.ts';

type QueryInput = string | EmbeddedStatement;

/** The next statement is queued while one runs. More would delay urgent ones. */
const MAX_IN_FLIGHT = 2;

interface SessionOrder {
  readonly mutex: QueryMutex;
  readonly isAhead: boolean;
}

/**
 * Implements the interface of `pg.Pool` on one embedded session: any number of clients, whose statements take
 * turns and whose transactions never interleave. Every client receives every notification of the session.
 */
export class EmbeddedPool extends EventEmitter {
  readonly options = { keepAlive: true, max: Number.POSITIVE_INFINITY };
  readonly #thread: DatabaseThread;
  readonly #order: SessionOrder;
  readonly #clients = new Set<EmbeddedClient>();

  constructor(
    thread: DatabaseThread,
    order: SessionOrder = { mutex: new QueryMutex(MAX_IN_FLIGHT), isAhead: false },
  ) {
    super();
    this.setMaxListeners(0);
    this.#thread = thread;
    this.#order = order;
    thread.onNotification((channel, payload) => {
      for (const client of this.#clients) client.emit('notification', { channel, payload });
    });
  }

  /** Returns a pool on the same session whose statements go before waiting ones. */
  ahead(): EmbeddedPool {
    return new EmbeddedPool(this.#thread, { ...this.#order, isAhead: true });
  }

  async connect(): Promise<EmbeddedClient> {
    const client = new EmbeddedClient(this.#thread, this.#order, () => this.#clients.delete(client));
    this.#clients.add(client);
    return client;
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

class EmbeddedClient extends EventEmitter {
  readonly #thread: DatabaseThread;
  readonly #order: SessionOrder;
  readonly #forget: () => void;
  #inTransaction = false;

  constructor(thread: DatabaseThread, order: SessionOrder, forget: () => void) {
    super();
    this.setMaxListeners(0);
    this.#thread = thread;
    this.#order = order;
    this.#forget = forget;
  }

  async query(input: QueryInput, values?: readonly unknown[]): Promise<EmbeddedResult> {
    const statement = typeof input === 'string' ? { text: input, values } : input;
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

  /** Rolls back an open transaction, so that it is not left to the next client. */
  release(): void {
    if (this.#inTransaction) {
      this.query('rollback').catch(() => {
        // Fails only if the database thread is gone, and the transaction with it. `died` reports that.
      });
    }
    this.#forget();
  }
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
