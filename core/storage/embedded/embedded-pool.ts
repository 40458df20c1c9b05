import { EventEmitter } from 'node:events';
import type { DatabaseThread, EmbeddedResult, EmbeddedStatement } from './database-thread.ts';

type QueryInput = string | EmbeddedStatement;

/** While one statement runs the next is there already; more would only be ahead of what is urgent. */
const MAX_IN_FLIGHT = 2;

interface Turns {
  readonly turnstile: QueryMutex;
  readonly isAhead: boolean;
}

/**
 * The face of a `pg.Pool` on one embedded session: any number of clients, whose statements take turns and whose
 * transactions are never interleaved. Every client hears every notification of the session.
 */
export class EmbeddedPool extends EventEmitter {
  readonly options = { keepAlive: true, max: Number.POSITIVE_INFINITY };
  readonly #thread: DatabaseThread;
  readonly #turns: Turns;
  readonly #clients = new Set<EmbeddedClient>();

  constructor(
    thread: DatabaseThread,
    turns: Turns = { turnstile: new QueryMutex(MAX_IN_FLIGHT), isAhead: false },
  ) {
    super();
    this.setMaxListeners(0);
    this.#thread = thread;
    this.#turns = turns;
    thread.onNotification((channel, payload) => {
      for (const client of this.#clients) client.emit('notification', { channel, payload });
    });
  }

  /** Another face of the same session, whose statements go before those that wait here. */
  ahead(): EmbeddedPool {
    return new EmbeddedPool(this.#thread, { ...this.#turns, isAhead: true });
  }

  async connect(): Promise<EmbeddedClient> {
    const client = new EmbeddedClient(this.#thread, this.#turns, () => this.#clients.delete(client));
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

  /** The session outlives its faces: whoever opened the database closes it. */
  async end(): Promise<void> {}
}

class EmbeddedClient extends EventEmitter {
  readonly #thread: DatabaseThread;
  readonly #turns: Turns;
  readonly #forget: () => void;
  #inTransaction = false;

  constructor(thread: DatabaseThread, turns: Turns, forget: () => void) {
    super();
    this.setMaxListeners(0);
    this.#thread = thread;
    this.#turns = turns;
    this.#forget = forget;
  }

  async query(input: QueryInput, values?: readonly unknown[]): Promise<EmbeddedResult> {
    const statement = typeof input === 'string' ? { text: input, values } : input;
    const { turnstile, isAhead } = this.#turns;
    const command = statement.text.trimStart().slice(0, 20).toLowerCase();
    const begins = command.startsWith('begin') || command.startsWith('start transaction');
    await turnstile.enter(this, { isAhead, isAlone: begins });
    if (begins) this.#inTransaction = true;
    try {
      return await this.#thread.run(statement);
    } finally {
      if (endsTransaction(command)) this.#inTransaction = false;
      if (!this.#inTransaction) turnstile.leave(this);
    }
  }

  /** A client given back in the middle of a transaction must not leave it to the next one. */
  release(): void {
    if (this.#inTransaction) {
      this.query('rollback').catch(() => {
        // Fails only when the database thread is gone, and the transaction with it: `died` tells whoever has to know.
      });
    }
    this.#forget();
  }
}

function endsTransaction(command: string): boolean {
  return /^(commit|end|rollback(?! to))\b/.test(command);
}

interface QueuedEntry {
  readonly who: object;
  readonly isAlone: boolean;
  readonly enter: () => void;
}

interface EntryOptions {
  /** Before all who are not. */
  readonly isAhead?: boolean;
  /** With nobody let in behind it until it leaves, as a transaction has to be. */
  readonly isAlone?: boolean;
}

/**
 * The order in which statements go to one session, which does one after the other. A few may be on their way at once, so
 * that it never waits for the next one. Everybody else waits in order.
 */
export class QueryMutex {
  readonly #most: number;
  readonly #inside = new Set<object>();
  readonly #ahead: QueuedEntry[] = [];
  readonly #waiting: QueuedEntry[] = [];
  #alone: object | null = null;

  constructor(most: number) {
    this.#most = most;
  }

  /** Resolves when `who` may run a statement; at once when it is inside already. */
  enter(who: object, { isAhead = false, isAlone = false }: EntryOptions = {}): Promise<void> {
    if (this.#inside.has(who)) return Promise.resolve();
    const entered = new Promise<void>((enter) => {
      (isAhead ? this.#ahead : this.#waiting).push({ who, isAlone, enter });
    });
    this.#admit();
    return entered;
  }

  leave(who: object): void {
    this.#inside.delete(who);
    if (this.#alone === who) this.#alone = null;
    this.#admit();
  }

  #admit(): void {
    for (;;) {
      const line = this.#ahead.length > 0 ? this.#ahead : this.#waiting;
      const [next] = line;
      if (next === undefined || this.#alone !== null || this.#inside.size >= this.#most) return;
      line.shift();
      this.#inside.add(next.who);
      if (next.isAlone) this.#alone = next.who;
      next.enter();
    }
  }
}
