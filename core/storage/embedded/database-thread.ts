import { Duplex } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import pg from 'pg';
import { runInBackground } from '../../async.ts';
import { StartError } from '../../errors.ts';
import { folderFault, fullDiskFault } from './folder-fault.ts';
import type { EmbeddedFault, EmbeddedReply, EmbeddedRequest } from './messages.ts';

export type EmbeddedResult = pg.QueryResult<Record<string, unknown>>;

export interface EmbeddedStatement {
  /** Several statements only where there are no values. */
  readonly text: string;
  readonly values?: readonly unknown[] | undefined;
  /** Under which the session keeps it parsed; absent: it does not. */
  readonly name?: string | undefined;
}

export interface DatabaseThread {
  /** Whether a commit is flushed to the disk before it is acknowledged. */
  readonly durable: boolean;
  /** The last result where there are several statements. */
  run(statement: EmbeddedStatement): Promise<EmbeddedResult>;
  onNotification(listener: (channel: string, payload: string) => void): void;
  /** Resolves with the reason when the thread ends without having been closed. */
  readonly died: Promise<Error>;
  close(): Promise<void>;
}

/**
 * Starts the database thread on a data folder that this process has locked. The pg driver speaks to it as it would to
 * a server: what it makes of values, rows and errors is the same on either engine. Throws a StartError if it cannot.
 */
export async function startDatabaseThread(folder: string): Promise<DatabaseThread> {
  const worker = new Worker(new URL('./pglite-thread.ts', import.meta.url), { workerData: { folder } });
  const send = (request: EmbeddedRequest) => worker.postMessage(request);
  const stream = new ThreadStream(send);
  const client = new pg.Client({
    stream: () => stream,
    user: 'postgres',
    database: 'postgres',
    pipeline: true,
  });
  client.setMaxListeners(0);
  const opened = Promise.withResolvers<boolean>();
  const closed = Promise.withResolvers<void>();
  const died = Promise.withResolvers<Error>();
  let gone: Error | null = null;
  let closing = false;

  const end = (error: Error): void => {
    gone = error;
    opened.reject(openFault(folder, { message: error.message, fields: {} }));
    stream.destroy(error);
    if (!closing) died.resolve(error);
    closed.resolve();
  };
  /** What the database says after that is not to be understood, if it says anything: it has to be opened anew. */
  const breakOff = (error: Error): void => {
    if (closing || gone !== null) return;
    end(fullDiskFault(folder, error) ?? error);
    runInBackground(worker.terminate(), () => {
      // Its exit is heard in any case.
    });
  };
  worker.on('message', (reply: EmbeddedReply) => {
    if (reply instanceof Uint8Array) stream.receive(reply);
    else if (reply.kind === 'open') opened.resolve(reply.durable);
    else if (reply.kind === 'failed') opened.reject(openFault(folder, reply.fault));
    else closed.resolve();
  });
  worker.on('error', end);
  worker.on('exit', () => end(gone ?? new StartError('The embedded database has stopped.')));
  // Whoever waits for a statement hears of it there, and `died` tells everybody else.
  client.on('error', breakOff);
  const durable = await opened.promise;
  await client.connect();

  return {
    durable,
    async run({ name, text, values = [] }) {
      if (gone !== null) {
        // Whoever asks again and again without a pause, as queue workers do, would let nobody else do anything.
        await setImmediate();
        throw gone;
      }
      try {
        const result: EmbeddedResult | EmbeddedResult[] = await client.query({
          name,
          text,
          values: [...values],
        });
        return Array.isArray(result) ? lastMessage(result) : result;
      } catch (error) {
        if (error instanceof pg.DatabaseError && isFatalError(error)) breakOff(error);
        throw error;
      }
    },
    onNotification(listener) {
      client.on('notification', ({ channel, payload = '' }) => listener(channel, payload));
    },
    died: died.promise,
    async close() {
      closing = true;
      // What was asked before this is answered first.
      if (gone === null) await client.query('select');
      send('close');
      await closed.promise;
      await worker.terminate();
    },
  };
}

/** PostgreSQL ends a session after FATAL, and all of itself after PANIC. */
function isFatalError({ severity }: pg.DatabaseError): boolean {
  return severity === 'FATAL' || severity === 'PANIC';
}

function lastMessage(results: readonly EmbeddedResult[]): EmbeddedResult {
  const last = results.at(-1);
  if (last === undefined) throw new TypeError('several statements without a result');
  return last;
}

function openFault(folder: string, fault: EmbeddedFault): Error {
  const error = Object.assign(new Error(fault.message), fault.fields);
  const explained = folderFault(folder, error);
  if (explained instanceof StartError) return explained;
  const full = fullDiskFault(folder, error);
  if (full !== null) return full;
  return new StartError(
    `The embedded database in DATA_DIR ${folder} cannot be opened (${fault.message}): restore the folder from a backup, or set DATA_DIR to a new one.`,
    error,
  );
}

interface WrittenChunk {
  readonly chunk: Buffer;
}

/**
 * What the pg driver takes for its socket: everything that it writes at once is sent as one message, so that one
 * statement is one round trip to the database thread.
 */
class ThreadStream extends Duplex {
  readonly #send: (bytes: Uint8Array<ArrayBuffer>) => void;

  constructor(send: (bytes: Uint8Array<ArrayBuffer>) => void) {
    super();
    this.#send = send;
  }

  /** Bytes that the thread answered. */
  receive(bytes: Uint8Array<ArrayBuffer>): void {
    this.push(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  }

  connect(): this {
    process.nextTick(() => this.emit('connect'));
    return this;
  }

  /** What the driver asks of a socket beside bytes means nothing here. */
  setNoDelay(): this {
    return this;
  }

  setKeepAlive(): this {
    return this;
  }

  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }

  override _read(): void {
    // The thread answers when it has something.
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.#send(Uint8Array.from(chunk));
    done();
  }

  override _writev(chunks: WrittenChunk[], done: () => void): void {
    this.#send(Uint8Array.from(Buffer.concat(chunks.map(({ chunk }) => chunk))));
    done();
  }
}
