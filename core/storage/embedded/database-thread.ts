import { Duplex } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import pg from 'pg';
import { runInBackground } from '../../base/async.ts';
import { StartError } from '../../base/errors.ts';
import { folderFault, fullDiskFault } from './folder-fault.ts';
import type { EmbeddedFault, EmbeddedReply, EmbeddedRequest } from './messages.ts';

export type EmbeddedResult = pg.QueryResult<Record<string, unknown>>;

export interface EmbeddedStatement {
  /** May contain several statements only if there are no values. */
  readonly text: string;
  readonly values?: readonly unknown[] | undefined;
  /** Name of the prepared statement. The statement is not prepared if absent. */
  readonly name?: string | undefined;
}

export interface DatabaseThread {
  /** True if each commit is flushed to the disk before it is acknowledged. */
  readonly durable: boolean;
  /** Runs a statement. Returns the last result if there are several statements. */
  run(statement: EmbeddedStatement): Promise<EmbeddedResult>;
  /** Copies the files of the database into a new folder, while it runs no statement. They can be opened like it. */
  copyTo(folder: string): Promise<void>;
  onNotification(listener: (channel: string, payload: string) => void): void;
  /** Resolves with the reason if the thread stops without having been closed. */
  readonly died: Promise<Error>;
  close(): Promise<void>;
}

/**
 * Starts the database thread on a locked data folder. The pg driver speaks PostgreSQL's protocol to it, so
 * values, rows and errors are the same with either engine. Throws a StartError if it cannot start.
 */
export async function startDatabaseThread(folder: string): Promise<DatabaseThread> {
  const worker = new Worker(new URL('./pglite-thread.ts', import.meta.url), { workerData: { folder } });
  const send = (request: EmbeddedRequest) => worker.postMessage(request);
  const stream = new ThreadStream(send);
  // The client listens once it is connected. Before that, a database that cannot be opened would end the process.
  stream.on('error', () => {});
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
  /** Those that the thread has not answered, in their order. */
  const copies: PromiseWithResolvers<void>[] = [];
  let lostReason: Error | null = null;
  let closing = false;

  const end = (error: Error): void => {
    lostReason = error;
    opened.reject(openFault(folder, { message: error.message, fields: {} }));
    stream.destroy(error);
    for (const copy of copies.splice(0)) copy.reject(error);
    if (!closing) died.resolve(error);
    closed.resolve();
  };
  /** The session is unusable after such an error. The database must be opened again. */
  const abandon = (error: Error): void => {
    if (closing || lostReason !== null) return;
    end(fullDiskFault(folder, error) ?? error);
    runInBackground(worker.terminate(), () => {
      // The worker's exit event is handled anyway.
    });
  };
  worker.on('message', (reply: EmbeddedReply) => {
    if (reply instanceof Uint8Array) stream.receive(reply);
    else if (reply.kind === 'open') opened.resolve(reply.durable);
    else if (reply.kind === 'failed') opened.reject(openFault(folder, reply.fault));
    else if (reply.kind === 'copied') endCopy(copies.shift(), reply.fault);
    else closed.resolve();
  });
  worker.on('error', end);
  worker.on('exit', () =>
    end(lostReason ?? new StartError('The embedded database has stopped unexpectedly. Start Parley again.')),
  );
  // A waiting statement gets the error itself. `died` reports it to everyone else.
  client.on('error', abandon);
  const durable = await opened.promise;
  await client.connect();

  return {
    durable,
    async run({ name, text, values = [] }) {
      if (lostReason !== null) {
        // Yields to the event loop, because callers that retry without a pause, such as queue workers, would
        // block it.
        await setImmediate();
        throw lostReason;
      }
      try {
        const result: EmbeddedResult | EmbeddedResult[] = await client.query({
          name,
          text,
          values: [...values],
        });
        return Array.isArray(result) ? lastResult(result) : result;
      } catch (error) {
        if (error instanceof pg.DatabaseError && isFatalError(error)) abandon(error);
        throw error;
      }
    },
    async copyTo(target) {
      if (lostReason !== null) throw lostReason;
      const copy = Promise.withResolvers<void>();
      copies.push(copy);
      send({ copyTo: target });
      await copy.promise;
    },
    onNotification(listener) {
      client.on('notification', ({ channel, payload = '' }) => listener(channel, payload));
    },
    died: died.promise,
    async close() {
      closing = true;
      // This waits until earlier statements are done.
      if (lostReason === null) await client.query('select');
      send('close');
      await closed.promise;
      await worker.terminate();
    },
  };
}

function endCopy(copy: PromiseWithResolvers<void> | undefined, fault: EmbeddedFault | null): void {
  if (fault === null) copy?.resolve();
  else copy?.reject(toError(fault));
}

function toError({ message, fields }: EmbeddedFault): Error {
  return Object.assign(new Error(message), fields);
}

/** PostgreSQL ends the session after FATAL and the whole server after PANIC. */
function isFatalError({ severity }: pg.DatabaseError): boolean {
  return severity === 'FATAL' || severity === 'PANIC';
}

function lastResult(results: readonly EmbeddedResult[]): EmbeddedResult {
  const last = results.at(-1);
  if (last === undefined) throw new TypeError('several statements without a result');
  return last;
}

function openFault(folder: string, fault: EmbeddedFault): Error {
  const error = toError(fault);
  const explained = folderFault(folder, error);
  if (explained instanceof StartError) return explained;
  const full = fullDiskFault(folder, error);
  if (full !== null) return full;
  return new StartError(
    `Cannot open the embedded database in DATA_DIR ${folder}: ${fault.message}. Restore the folder from a backup, or set DATA_DIR to a new folder.`,
    error,
  );
}

interface WrittenChunk {
  readonly chunk: Buffer;
}

/**
 * The stream that the pg driver uses as its socket. Everything it writes at once is sent as one message, so a
 * statement takes one round trip to the database thread.
 */
class ThreadStream extends Duplex {
  readonly #send: (bytes: Uint8Array<ArrayBuffer>) => void;

  constructor(send: (bytes: Uint8Array<ArrayBuffer>) => void) {
    super();
    this.#send = send;
  }

  /** Passes bytes from the thread to the driver. */
  receive(bytes: Uint8Array<ArrayBuffer>): void {
    this.push(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  }

  connect(): this {
    process.nextTick(() => this.emit('connect'));
    return this;
  }

  /** Socket options have no meaning here. */
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
    // The thread pushes data when it has some.
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
