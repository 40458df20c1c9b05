import { TaskThread } from '../../core/base/threads/task-thread.ts';
import { ThreadError } from '../../core/contract/threads.ts';
import type { ArchivedMail } from '../../core/tickets/formats/mail-thread.ts';
import type { ReadMails } from '../../core/tickets/formats/mbox.ts';

const MAX_HEAP_MB = 512;
const BATCH_MS = 20_000;
const MAIL_MS = 5_000;

/** Opens a thread that parses mails: a hostile one can take minutes. */
export function openMailThread(): { readonly read: ReadMails; close(): Promise<void> } {
  const thread = new TaskThread<readonly Uint8Array[], readonly (ArchivedMail | null)[]>({
    worker: new URL('../../core/tickets/formats/mail-thread.ts', import.meta.url),
    name: 'ticket-mails',
    maxHeapMb: MAX_HEAP_MB,
  });
  const parse = (sources: readonly Uint8Array[], timeoutMs: number) =>
    thread.run(sources, { timeoutMs, signal: new AbortController().signal });
  const read: ReadMails = async (sources) => {
    if (sources.length === 0) return [];
    try {
      return await parse(sources, BATCH_MS);
    } catch (error) {
      requireFault(error);
    }
    // One of them takes too long: it alone is left out.
    const mails: (ArchivedMail | null)[] = [];
    for (const source of sources) {
      const [mail = null] = await parse([source], MAIL_MS).catch((error: unknown) => {
        requireFault(error);
        return [];
      });
      mails.push(mail);
    }
    return mails;
  };
  return { read, close: () => thread.close() };
}

/** Throws an error that no mail caused. */
function requireFault(error: unknown): void {
  if (!(error instanceof ThreadError) || error.fault === 'unavailable') throw error;
}
