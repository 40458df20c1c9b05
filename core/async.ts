/**
 * Runs work that nobody awaits. A rejection goes to `onError`, which must not throw: unhandled, it would stop the process.
 */
export function runInBackground(work: Promise<unknown>, onError: (error: unknown) => void): void {
  work.catch(onError);
}

/**
 * Calls `then` once `work` is fulfilled or rejected. It handles no error: whoever else has `work` awaits it for that. Use it
 * instead of `.finally(` where the result is not awaited, because that makes a second promise that rejects as well.
 */
export function whenSettled(work: Promise<unknown>, then: () => void): void {
  work.then(then, then);
}

/** Resolves when the work is done, with true, or so many milliseconds later, with false: then it goes on. */
export async function withTimeout(ms: number, work: Promise<unknown>): Promise<boolean> {
  const late = Promise.withResolvers<false>();
  const timer = setTimeout(() => late.resolve(false), ms);
  try {
    return await Promise.race([work.then(() => true), late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * A function that waits for one promise at a time and gives it up, with the signal's reason, as soon as the signal is
 * aborted. Nobody listens to the signal in between.
 */
export function rejectOnAbort(signal: AbortSignal): <Value>(awaited: Promise<Value>) => Promise<Value> {
  return async (awaited) => {
    const over = Promise.withResolvers<never>();
    const giveUp = () => over.reject(signal.reason);
    if (signal.aborted) giveUp();
    else signal.addEventListener('abort', giveUp, { once: true });
    try {
      return await Promise.race([over.promise, awaited]);
    } finally {
      signal.removeEventListener('abort', giveUp);
    }
  };
}

interface Grace {
  /** Aborted when there is no more time for what runs, and when it has stopped. */
  readonly ending: AbortController;
  /** In which the process has to end. */
  readonly seconds: number;
}

/** Of that time: what is still being done then is cut short, and put away in the rest of it. */
const graceShare = 0.8;

/** Stops what finishes what it is doing, if that does not take too long. */
export async function stopWithGrace(stop: () => Promise<void>, { ending, seconds }: Grace): Promise<void> {
  const grace = setTimeout(() => ending.abort(), seconds * 1_000 * graceShare);
  await stop();
  clearTimeout(grace);
  ending.abort();
}

interface Closable {
  close(): Promise<void>;
}

/**
 * Waits for both while they open at the same time. Throws the error of the one that fails first, once `one` is not open
 * any more; nobody waits for `other`, which may take long, and is closed when it has opened.
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
