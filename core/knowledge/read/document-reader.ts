import { ThreadError } from '../../contract/threads.ts';
import { ThreadPool } from '../../threads/thread-pool.ts';
import { DocumentError } from '../document-error.ts';
import type { DocumentSource } from '../loaders/loader.ts';
import { DEFAULT_LOADING_LIMITS, type LoadingLimits, requireReadableSize } from '../loaders/loader.ts';
import type { ReadReply, ReadRequest, ReadResult } from './read-request.ts';

interface Options {
  readonly limits?: LoadingLimits;
  /** Documents that are read at once; of one workspace always one less, but at least one. */
  readonly threads?: number;
  readonly maxHeapMb?: number;
  /** How long a file of so many bytes may take. */
  readonly timeoutMs?: (bytes: number) => number;
}

interface Reading {
  readonly workspaceId: string;
  readonly signal?: AbortSignal;
}

const SMALL_BYTES = 1_000_000;
const SMALL_MS = 20_000;
const MS_PER_FURTHER_BYTE = 1 / 250;

/** The reader itself is at fault or was closed, not the document: the same document may be read another time. */
class DocumentReaderError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'DocumentReaderError';
  }
}

/**
 * Reads untrusted files in threads, so that none can hold up or end the process: a file that takes too long or too
 * much memory is stopped and refused. Files of one workspace leave a thread for the files of others.
 */
export class DocumentReader {
  readonly #limits: LoadingLimits;
  readonly #timeoutMs: (bytes: number) => number;
  readonly #pool: ThreadPool<ReadRequest, ReadReply>;

  constructor({
    limits = DEFAULT_LOADING_LIMITS,
    threads = 3,
    maxHeapMb = 768,
    timeoutMs = readingTimeoutMs,
  }: Options = {}) {
    this.#limits = limits;
    this.#timeoutMs = timeoutMs;
    const worker = new URL('./read-worker.ts', import.meta.url);
    this.#pool = new ThreadPool({ worker, name: 'document-reader', threads, maxHeapMb });
  }

  /** Rejects with a DocumentError, a DocumentReaderError where the document is not to blame, or the reason of `signal`. */
  async read(source: DocumentSource, { workspaceId, signal }: Reading): Promise<ReadResult> {
    requireReadableSize(source.bytes, this.#limits);
    const timeoutMs = this.#timeoutMs(source.bytes.byteLength);
    const request = { source, limits: this.#limits };
    try {
      return toReadResult(await this.#pool.run(request, { owner: workspaceId, timeoutMs, signal }));
    } catch (error) {
      throw error instanceof ThreadError ? readingError(error, timeoutMs) : error;
    }
  }

  /** Running, waiting and later readings reject with a DocumentReaderError. */
  close(): Promise<void> {
    return this.#pool.close();
  }
}

/** 20 seconds up to 1 MB, then in proportion: two minutes for the largest file. */
export function readingTimeoutMs(bytes: number): number {
  return Math.round(SMALL_MS + Math.max(0, bytes - SMALL_BYTES) * MS_PER_FURTHER_BYTE);
}

function toReadResult(reply: ReadReply): ReadResult {
  if (reply.kind === 'read') return reply.result;
  throw new DocumentError(reply.code, reply.what, { cause: reply.cause });
}

function readingError(cause: ThreadError, timeoutMs: number): Error {
  switch (cause.fault) {
    case 'timed_out':
      return new DocumentError('reading_timed_out', `${(timeoutMs / 1_000).toLocaleString('en')} s`, {
        cause,
      });
    case 'out_of_memory':
      return new DocumentError('out_of_memory', undefined, { cause });
    case 'crashed':
      return new DocumentError('reading_failed', undefined, { cause });
    case 'unavailable':
      return new DocumentReaderError('The document reader is not available.', { cause });
  }
}
