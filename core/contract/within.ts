/**
 * What `work` comes to, with a signal that is aborted as `signal` is, or when it takes longer than `timeoutMs`. Unlike a
 * signal that times out by itself nothing is left of it behind work that is done: at hundreds of calls a second that counts.
 */
export async function within<Result>(
  { timeoutMs, signal }: { readonly timeoutMs: number; readonly signal?: AbortSignal | undefined },
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const own = new AbortController();
  const leave = () => own.abort(signal?.reason);
  if (signal?.aborted === true) leave();
  else signal?.addEventListener('abort', leave, { once: true });
  const timer = setTimeout(() => own.abort(new DOMException('It took too long.', 'TimeoutError')), timeoutMs);
  try {
    return await work(own.signal);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', leave);
  }
}
