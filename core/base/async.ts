/**
 * Runs work that is not awaited. A rejection goes to `onError`, which must not throw: an unhandled rejection
 * would stop the process.
 */
export function runInBackground(work: Promise<unknown>, onError: (error: unknown) => void): void {
  work.catch(onError);
}

/**
 * Calls `then` once `work` is fulfilled or rejected. It does not handle the rejection: the code that awaits `work`
 * does. Use it instead of `.finally()` if the result is not awaited, because `.finally()` creates a second promise
 * that rejects as well.
 */
export function whenSettled(work: Promise<unknown>, then: () => void): void {
  work.then(then, then);
}

/**
 * Returns a function that loads a value on its first call and keeps it. A failed load is not kept: the next call tries
 * again.
 */
export function loadOnce<Value>(load: () => Promise<Value>): () => Promise<Value> {
  let loading: Promise<Value> | undefined;
  return () => {
    loading ??= load().catch((error: unknown) => {
      loading = undefined;
      throw error;
    });
    return loading;
  };
}

/** Resolves with true when the work is done, or with false after `ms` milliseconds. The work then continues. */
export async function withTimeout(ms: number, work: Promise<unknown>): Promise<boolean> {
  const timeout = Promise.withResolvers<false>();
  const timer = setTimeout(() => timeout.resolve(false), ms);
  try {
    return await Promise.race([work.then(() => true), timeout.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Returns a function that awaits one promise at a time and rejects with the signal's reason as soon as the
 * signal is aborted. It listens to the signal only while it awaits.
 */
export function rejectOnAbort(signal: AbortSignal): <Value>(awaited: Promise<Value>) => Promise<Value> {
  return async (awaited) => {
    const aborted = Promise.withResolvers<never>();
    const reject = () => aborted.reject(signal.reason);
    if (signal.aborted) reject();
    else signal.addEventListener('abort', reject, { once: true });
    try {
      return await Promise.race([aborted.promise, awaited]);
    } finally {
      signal.removeEventListener('abort', reject);
    }
  };
}

interface Grace {
  /** Aborted when the time for running work is over, and after everything has stopped. */
  readonly controller: AbortController;
  /** Time in which the process must stop, in seconds. */
  readonly seconds: number;
}

/** Share of that time after which running work is aborted. The rest is for cleaning up. */
const GRACE_SHARE = 0.8;

/** Stops a service that finishes its running work, and aborts that work if it takes too long. */
export async function stopWithGrace(
  stop: () => Promise<void>,
  { controller, seconds }: Grace,
): Promise<void> {
  const grace = setTimeout(() => controller.abort(), seconds * 1_000 * GRACE_SHARE);
  await stop();
  clearTimeout(grace);
  controller.abort();
}

interface Closable {
  close(): Promise<void>;
}

/**
 * Waits for two resources that open concurrently. If one fails, closes both and throws the first error, without
 * waiting for `other`, which may open slowly.
 */
export async function openBoth<One extends Closable, Other extends Closable>(
  one: Promise<One>,
  other: Promise<Other>,
): Promise<readonly [One, Other]> {
  try {
    return await Promise.all([one, other]);
  } catch (error) {
    void Promise.allSettled([other.then((opened) => opened.close())]);
    await Promise.allSettled([one.then((opened) => opened.close())]);
    throw error;
  }
}
