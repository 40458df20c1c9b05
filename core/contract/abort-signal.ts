interface LinkedSignal {
  /** Aborted as the signal is. */
  readonly controller: AbortController;
  /** To be called in the end: until then the signal holds the controller, and whoever listens to that. */
  readonly leave: () => void;
}

/**
 * For work that is shorter than what `signal` is the signal of. One of AbortSignal.any stays with the longest of its signals
 * for as long as anybody listens to it: in a process that is never stopped, for ever.
 */
export function linkSignal(signal: AbortSignal | undefined): LinkedSignal {
  const controller = new AbortController();
  const abort = () => controller.abort(signal?.reason);
  if (signal?.aborted === true) abort();
  else signal?.addEventListener('abort', abort, { once: true });
  return { controller, leave: () => signal?.removeEventListener('abort', abort) };
}

/**
 * What `work` comes to, with a signal that is aborted as `signal` is, or when it takes longer than `timeoutMs`. Unlike a
 * signal that times out by itself nothing is left of it behind work that is done: at hundreds of calls a second that counts.
 */
export async function withDeadline<Result>(
  { timeoutMs, signal }: { readonly timeoutMs: number; readonly signal?: AbortSignal | undefined },
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const { controller, leave } = linkSignal(signal);
  const late = () => controller.abort(new DOMException('It took too long.', 'TimeoutError'));
  const timer = setTimeout(late, timeoutMs);
  try {
    return await work(controller.signal);
  } finally {
    clearTimeout(timer);
    leave();
  }
}
