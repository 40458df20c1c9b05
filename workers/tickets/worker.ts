import type { Runtime } from '../../core/runtime/runtime.ts';
import { runImportSlice } from '../../core/tickets/run-import-slice.ts';
import { wakeTicketImport } from '../../core/tickets/ticket-imports.ts';
import { openMailThread } from './mail-thread.ts';

/** One: answers for waiting visitors use the same models and threads. */
const concurrency = 1;

/** Starts the worker that imports tickets. The returned function stops it after the current question. */
export async function runTicketWorker(runtime: Runtime): Promise<() => Promise<void>> {
  const { log, queue } = runtime;
  const stopping = new AbortController();
  const mails = openMailThread();
  const dependencies = { ...runtime, readMails: mails.read };
  const stop = await queue.work('tickets', {
    concurrency,
    async run({ importId }) {
      const slice = await runImportSlice(dependencies, { importId, signal: stopping.signal });
      if (slice !== null) await wakeTicketImport(runtime, { id: importId, slice });
    },
    async givenUp({ importId }, err) {
      log.warn({ err, import: importId }, 'an import of tickets failed and is tried again soon');
    },
  });
  return async () => {
    stopping.abort();
    await stop();
    await mails.close();
  };
}
