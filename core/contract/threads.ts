import { parentPort } from 'node:worker_threads';

/** Work for a worker thread, for input that a malicious sender can make expensive. */
export interface ThreadTask {
  /** The URL of the module that the thread runs. The module calls `serveThread`. */
  readonly worker: URL;
  /** The input, which is copied into the thread by structured clone, as the result is copied back. */
  readonly input: unknown;
  /** The maximum run time in milliseconds, from the moment the thread starts the task. */
  readonly timeoutMs: number;
}

/**
 * Runs a task and resolves with the module's result. Rejects with a `ThreadError`, or with the reason of `Tools.signal`
 * if that aborts first.
 */
export type RunInThread = (task: ThreadTask) => Promise<unknown>;

/** Why a task failed. `unavailable` means that the thread pool failed or was closed, so the input is not at fault. */
export type ThreadFault = 'timed_out' | 'out_of_memory' | 'crashed' | 'unavailable';

/** A task that exceeded its limits or crashed its thread. */
export class ThreadError extends Error {
  readonly fault: ThreadFault;

  constructor(fault: ThreadFault, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'ThreadError';
    this.fault = fault;
  }
}

/** Serves tasks inside a worker thread: answers each input with the result of `run`. If `run` throws, the thread ends. */
export function serveThread<Input>(run: (input: Input) => unknown): void {
  const respond = async (input: Input): Promise<void> => parentPort?.postMessage(await run(input));
  parentPort?.on('message', (input: Input) => void respond(input));
  parentPort?.postMessage('ready');
}
