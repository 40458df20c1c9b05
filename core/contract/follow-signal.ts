interface Following {
  /** Aborted as the signal is. */
  readonly controller: AbortController;
  /** To be called in the end: until then the signal holds the controller, and whoever listens to that. */
  readonly leave: () => void;
}

/**
 * For work that is shorter than what `signal` is the signal of. One of AbortSignal.any stays with the longest of its signals
 * for as long as anybody listens to it: in a process that is never stopped, for ever.
 */
export function followSignal(signal: AbortSignal | undefined): Following {
  const controller = new AbortController();
  const abort = () => controller.abort(signal?.reason);
  if (signal?.aborted === true) abort();
  else signal?.addEventListener('abort', abort, { once: true });
  return { controller, leave: () => signal?.removeEventListener('abort', abort) };
}
