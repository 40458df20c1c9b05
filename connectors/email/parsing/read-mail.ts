import { z } from 'zod';
import type { Tools } from '../../../core/contract/account.ts';
import { ConnectorError } from '../../../core/contract/connector-error.ts';
import type { FetchedFile } from '../../../core/contract/facets.ts';
import { ThreadError } from '../../../core/contract/threads.ts';
import { type UnthreadedMail, unthreadedSchema } from './mail.ts';
import type { MailRequest } from './mail-thread.ts';
import { parseFirstLines, type RawMail } from './parse-mail.ts';

type Threads = Pick<Tools, 'runInThread' | 'log'>;

const worker = new URL('./mail-thread.ts', import.meta.url);
const BASE_TIMEOUT_MS = 5_000;
const BASE_BYTES = 1_000_000;
const MS_PER_FURTHER_BYTE = 1 / 2_000;
/** Limit for a mail that could not be parsed whole; longer than the headers of nearly every mail. */
const HEAD_BYTES = 32_000;
const HEAD_LINES = 500;

const fileSchema = z.object({
  file: z.object({ contentType: z.string(), body: z.instanceof(Uint8Array) }).nullable(),
});

/**
 * Parses a mail in a thread. If that takes too much time or memory, it logs this and returns only the headers, with
 * `isUnread`. Throws a ConnectorError if the thread failed for another reason, so that the mail is read again.
 */
export async function readMail(raw: RawMail, tools: Threads): Promise<UnthreadedMail> {
  try {
    return await parseInThread(raw, tools);
  } catch (error) {
    const { fault } = requireMailFault(error);
    const { uid, bytes } = raw;
    tools.log.warn({ uid, bytes, fault }, 'reading a mail failed');
    return readHead(raw, tools);
  }
}

/** Returns a file of a mail; null if the mail has no file with that index. */
export async function readFile(
  { source, index }: { readonly source: Uint8Array; readonly index: number },
  tools: Threads,
): Promise<FetchedFile | null> {
  try {
    const found = await run({ kind: 'file', source, index }, source.byteLength, tools);
    return fileSchema.parse(found).file;
  } catch (error) {
    const cause = requireMailFault(error);
    throw new ConnectorError('The mail cannot be read. Parsing it took too much time or memory.', {
      advice: { retry: 'never' },
      cause,
    });
  }
}

async function readHead({ source, files: _, text: __, ...place }: RawMail, tools: Threads) {
  const raw = { ...place, source: headOf(source), isUnread: true };
  try {
    return await parseInThread({ ...raw, files: [] }, tools);
  } catch (error) {
    requireMailFault(error);
    return parseFirstLines(raw);
  }
}

async function parseInThread(mail: RawMail, tools: Threads): Promise<UnthreadedMail> {
  return unthreadedSchema.parse(await run({ kind: 'mail', mail }, mail.source.byteLength, tools));
}

function run(input: MailRequest, bytes: number, { runInThread }: Threads): Promise<unknown> {
  const furtherMs = Math.max(0, bytes - BASE_BYTES) * MS_PER_FURTHER_BYTE;
  return runInThread({ worker, input, timeoutMs: Math.round(BASE_TIMEOUT_MS + furtherMs) });
}

/** Returns the fault if the mail caused it; throws otherwise. */
function requireMailFault(error: unknown): ThreadError {
  if (!(error instanceof ThreadError)) throw error;
  if (error.fault !== 'unavailable') return error;
  throw new ConnectorError('Mails cannot be read at the moment.', {
    advice: { retry: 'backoff' },
    cause: error,
  });
}

/** Returns the headers, or as much of them as can be parsed in time. */
function headOf(source: Uint8Array): Uint8Array {
  const bytes = Buffer.from(source.buffer, source.byteOffset, Math.min(source.byteLength, HEAD_BYTES));
  let end = 0;
  for (let line = 0; line < HEAD_LINES; line += 1) {
    const next = bytes.indexOf('\n', end);
    if (next < 0) return bytes;
    if (bytes.subarray(end, next).toString('latin1').trim() === '') return bytes.subarray(0, next + 1);
    end = next + 1;
  }
  return bytes.subarray(0, end);
}
