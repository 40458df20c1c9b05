import { parentPort } from 'node:worker_threads';

/** Work that strangers can make expensive, as it is handed to a thread. */
export interface ThreadTask {
  /** The module that the thread runs: it calls `serveThread`. */
  readonly worker: URL;
  /** Copied into the thread, as its result is copied back. */
  readonly input: unknown;
  /** Counted from the moment that the thread begins with it. */
  readonly timeoutMs: number;
}

/** Resolves with what the module made of the input. Rejects with a ThreadError, or the reason of the tools' signal. */
export type RunInThread = (task: ThreadTask) => Promise<unknown>;

/** `unavailable`: the threads are at fault or were closed, and not the input. */
export type ThreadFault = 'timed_out' | 'out_of_memory' | 'crashed' | 'unavailable';

/** A task that did not end within its limits, or broke its thread. */
export class ThreadError extends Error {
  readonly fault: ThreadFault;

  constructor(fault: ThreadFault, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'ThreadError';
    this.fault = fault;
  }
}

/** In a thread: answers each input with what `run` makes of it. Where that throws, the thread ends. */
export function serveThread<Input>(run: (input: Input) => unknown): void {
  const answer = async (input: Input): Promise<void> => parentPort?.postMessage(await run(input));
  parentPort?.on('message', (input: Input) => void answer(input));
  parentPort?.postMessage('ready');
}
