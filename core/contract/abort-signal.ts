interface LinkedSignal {
  /** Aborts when the parent signal aborts. */
  readonly controller: AbortController;
  /**
   * Detaches from the parent signal. The caller must call it when the work is done; until then the parent signal keeps
   * the controller and its listeners in memory.
   */
  readonly leave: () => void;
}

/**
 * Returns a controller that aborts together with `signal`, for work that ends before `signal` does. `AbortSignal.any` is
 * not used here: its result stays attached to the longest-lived source for as long as it has a listener, which leaks in a
 * process that runs for weeks.
 */
export function linkSignal(signal: AbortSignal | undefined): LinkedSignal {
  const controller = new AbortController();
  const abort = () => controller.abort(signal?.reason);
  if (signal?.aborted === true) abort();
  else signal?.addEventListener('abort', abort, { once: true });
  return { controller, leave: () => signal?.removeEventListener('abort', abort) };
}

/**
 * Runs `work` with a signal that aborts when `signal` aborts or after `timeoutMs` milliseconds, and returns its result.
 * Rejects with whatever `work` rejects with; on timeout the abort reason is a `TimeoutError` DOMException. Unlike
 * `AbortSignal.timeout`, the timer and the listener are removed as soon as `work` settles, which matters at hundreds of
 * calls per second.
 */
export async function withDeadline<Result>(
  { timeoutMs, signal }: { readonly timeoutMs: number; readonly signal?: AbortSignal | undefined },
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const { controller, leave } = linkSignal(signal);
  const abort = () => controller.abort(new DOMException('The operation timed out.', 'TimeoutError'));
  const timer = setTimeout(abort, timeoutMs);
  try {
    return await work(controller.signal);
  } finally {
    clearTimeout(timer);
    leave();
  }
}
