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
