import type { DocumentSource } from '../loaders/document-source.ts';
import { DEFAULT_LOADING_LIMITS, type LoadingLimits } from '../loaders/loading-limits.ts';
import { requireReadableSize } from '../loaders/require-readable-size.ts';
import { DocumentReaderError } from './document-reader-error.ts';
import type { ReadResult } from './read-request.ts';
import { ReaderThread, type ThreadLimits } from './reader-thread.ts';

interface Options extends ThreadLimits {
  readonly limits?: LoadingLimits;
  /** How many documents are read at once; further ones wait their turn. */
  readonly threads?: number;
}

/**
 * Reads untrusted files in threads of their own, so that none can hold up or end the process: one that takes too
 * long or too much memory is stopped and refused. The threads do not keep the process alive.
 */
export class DocumentReader {
  readonly #limits: LoadingLimits;
  readonly #threads: readonly ReaderThread[];
  readonly #idle: ReaderThread[];
  readonly #waiting: ((thread: ReaderThread) => void)[] = [];
  readonly #closing = new AbortController();

  constructor({ limits = DEFAULT_LOADING_LIMITS, threads = 1, ...threadLimits }: Options) {
    this.#limits = limits;
    this.#threads = Array.from({ length: threads }, () => new ReaderThread(threadLimits));
    this.#idle = [...this.#threads];
  }

  /** Rejects with a DocumentError, a DocumentReaderError where the document is not to blame, or the reason of `signal`. */
  async read(source: DocumentSource, signal?: AbortSignal): Promise<ReadResult> {
    requireReadableSize(source.bytes, this.#limits);
    const thread =
      this.#idle.pop() ?? (await new Promise<ReaderThread>((resolve) => this.#waiting.push(resolve)));
    const stop = AbortSignal.any(
      signal === undefined ? [this.#closing.signal] : [this.#closing.signal, signal],
    );
    try {
      return await thread.read({ source, limits: this.#limits }, stop);
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#idle.push(thread);
      else next(thread);
    }
  }

  /** What is being read or waits to be rejects with a DocumentReaderError, as all later calls do. */
  async close(): Promise<void> {
    this.#closing.abort(new DocumentReaderError('The document reader was closed.'));
    await Promise.all(this.#threads.map((thread) => thread.close()));
  }
}
