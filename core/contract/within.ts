import { followSignal } from './follow-signal.ts';

/**
 * What `work` comes to, with a signal that is aborted as `signal` is, or when it takes longer than `timeoutMs`. Unlike a
 * signal that times out by itself nothing is left of it behind work that is done: at hundreds of calls a second that counts.
 */
export async function within<Result>(
  { timeoutMs, signal }: { readonly timeoutMs: number; readonly signal?: AbortSignal | undefined },
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const { controller, leave } = followSignal(signal);
  const late = () => controller.abort(new DOMException('It took too long.', 'TimeoutError'));
  const timer = setTimeout(late, timeoutMs);
  try {
    return await work(controller.signal);
  } finally {
    clearTimeout(timer);
    leave();
  }
}
