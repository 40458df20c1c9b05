import { ThreadPool } from '../../base/threads/thread-pool.ts';
import { ThreadError } from '../../contract/threads.ts';
import { DocumentError } from '../documents/document-error.ts';
import {
  DEFAULT_LOADING_LIMITS,
  type DocumentSource,
  type LoadingLimits,
  requireReadableSize,
} from '../loaders/loader.ts';
import type { ReadReply, ReadRequest, ReadResult } from './read-request.ts';
import type { TextRecogniser } from './text-recogniser.ts';

interface Options {
  readonly limits?: LoadingLimits;
  /** Documents read concurrently. One workspace may use all but one of the threads, and at least one. */
  readonly threads?: number;
  readonly maxHeapMb?: number;
  /** Returns the time limit for a file of this size. */
  readonly timeoutMs?: (bytes: number) => number;
  /** Reads pictures of text. Null refuses them. */
  readonly recogniser?: TextRecogniser | null;
}

interface Reading {
  readonly workspaceId: string;
  readonly signal?: AbortSignal;
}

const SMALL_FILE_BYTES = 1_000_000;
const SMALL_FILE_TIMEOUT_MS = 20_000;
const MS_PER_FURTHER_BYTE = 1 / 250;

/** The reader failed or is closed. The document is not the cause and may be read again later. */
class DocumentReaderError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'DocumentReaderError';
  }
}

/**
 * Reads untrusted files in threads, so that no file can block or crash the process. A file that exceeds the time or
 * memory limit is refused. One workspace never occupies all threads.
 */
export class DocumentReader {
  readonly #limits: LoadingLimits;
  readonly #timeoutMs: (bytes: number) => number;
  readonly #recogniser: TextRecogniser | null;
  readonly #pool: ThreadPool<ReadRequest, ReadReply>;

  constructor({
    limits = DEFAULT_LOADING_LIMITS,
    threads = 3,
    maxHeapMb = 768,
    timeoutMs = readingTimeoutMs,
    recogniser = null,
  }: Options = {}) {
    this.#limits = limits;
    this.#timeoutMs = timeoutMs;
    this.#recogniser = recogniser;
    const worker = new URL('./read-worker.ts', import.meta.url);
    this.#pool = new ThreadPool({ worker, name: 'document-reader', threads, maxHeapMb });
  }

  /**
   * Reads and chunks a file. Rejects with a DocumentError if the file is the cause, with a DocumentReaderError if the
   * reader is, or with the reason of `signal`.
   */
  async read(source: DocumentSource, reading: Reading): Promise<ReadResult> {
    requireReadableSize(source.bytes, this.#limits);
    const request = {
      source,
      limits: this.#limits,
      recognition: this.#recogniser === null ? null : 'wanted',
    } as const;
    const reply = await this.#run(request, reading);
    if (reply.kind !== 'pictures' || this.#recogniser === null) return toReadResult(reply);
    const recognition = await this.#recogniser.recognise(source.bytes, reply, reading);
    return toReadResult(await this.#run({ ...request, recognition }, reading));
  }

  async #run(request: ReadRequest, { workspaceId, signal }: Reading): Promise<ReadReply> {
    const timeoutMs = this.#timeoutMs(request.source.bytes.byteLength);
    try {
      return await this.#pool.run(request, { owner: workspaceId, timeoutMs, signal });
    } catch (error) {
      throw error instanceof ThreadError ? readingError(error, timeoutMs) : error;
    }
  }

  /** Ends the threads. Running, waiting and later calls reject with a DocumentReaderError. */
  close(): Promise<void> {
    this.#recogniser?.close();
    return this.#pool.close();
  }
}

/** Returns 20 seconds for up to 1 MB and grows linearly above: about two minutes for the largest file (25 MB). */
export function readingTimeoutMs(bytes: number): number {
  return Math.round(SMALL_FILE_TIMEOUT_MS + Math.max(0, bytes - SMALL_FILE_BYTES) * MS_PER_FURTHER_BYTE);
}

function toReadResult(reply: ReadReply): ReadResult {
  if (reply.kind === 'read') return reply.result;
  if (reply.kind === 'pictures') throw new DocumentError('no_text_layer', 'This file holds pictures');
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
