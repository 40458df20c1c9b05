import { Worker } from 'node:worker_threads';
import { DatabaseError } from 'pg';
import { StartError } from '../../start-error.ts';
import { folderFault, fullDiskFault } from './folder-fault.ts';
import type { EmbeddedFault, EmbeddedReply, EmbeddedResult } from './messages.ts';

interface Pending {
  readonly resolve: (result: EmbeddedResult) => void;
  readonly reject: (error: Error) => void;
}

export interface DatabaseThread {
  /** Whether a commit is flushed to the disk before it is acknowledged. */
  readonly durable: boolean;
  run(text: string, values?: readonly unknown[]): Promise<EmbeddedResult>;
  onNotification(listener: (channel: string, payload: string) => void): void;
  /** Resolves with the reason when the thread ends without having been closed. */
  readonly died: Promise<Error>;
  close(): Promise<void>;
}

/** Starts the database thread on a data folder that this process has locked. Throws a StartError if it cannot. */
export async function startDatabaseThread(folder: string): Promise<DatabaseThread> {
  const worker = new Worker(new URL('./pglite-thread.ts', import.meta.url), { workerData: { folder } });
  const pending = new Map<number, Pending>();
  const listeners: ((channel: string, payload: string) => void)[] = [];
  const opened = Promise.withResolvers<boolean>();
  const closed = Promise.withResolvers<void>();
  const died = Promise.withResolvers<Error>();
  let lastId = 0;
  let gone: Error | null = null;
  let closing = false;

  const handle = (reply: EmbeddedReply): void => {
    if (reply.kind === 'open') opened.resolve(reply.durable);
    else if (reply.kind === 'failed') opened.reject(openFault(folder, reply.fault));
    else if (reply.kind === 'closed') closed.resolve();
    else if (reply.kind === 'notification') for (const hear of listeners) hear(reply.channel, reply.payload);
    else settle(pending, reply);
  };
  const end = (error: Error): void => {
    gone = error;
    for (const query of pending.values()) query.reject(error);
    pending.clear();
    opened.reject(openFault(folder, { message: error.message, fields: {} }));
    if (!closing) died.resolve(error);
    closed.resolve();
  };
  worker.on('message', handle);
  worker.on('error', end);
  worker.on('exit', () => end(gone ?? new StartError('The embedded database has stopped.')));
  const durable = await opened.promise;

  return {
    durable,
    run(text, values) {
      if (gone !== null) return Promise.reject(gone);
      const id = ++lastId;
      const { promise, resolve, reject } = Promise.withResolvers<EmbeddedResult>();
      pending.set(id, { resolve, reject });
      worker.postMessage(values === undefined ? { id, text } : { id, text, values });
      return promise;
    },
    onNotification: (listener) => void listeners.push(listener),
    died: died.promise,
    async close() {
      closing = true;
      worker.postMessage('close');
      await closed.promise;
      await worker.terminate();
    },
  };
}

function settle(pending: Map<number, Pending>, reply: EmbeddedReply & { id: number }): void {
  const query = pending.get(reply.id);
  pending.delete(reply.id);
  if (reply.kind === 'result') query?.resolve(reply.result);
  else if (reply.kind === 'error') query?.reject(databaseError(reply.fault));
}

/** The pg driver's own error class, so that callers test `code` the same way on either engine. */
function databaseError(fault: EmbeddedFault): DatabaseError {
  return Object.assign(new DatabaseError(fault.message, fault.message.length, 'error'), fault.fields);
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
