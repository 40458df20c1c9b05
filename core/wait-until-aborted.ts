/**
 * A function that waits for one promise at a time and gives it up, with the signal's reason, as soon as the signal is
 * aborted. Nobody listens to the signal in between.
 */
export function waitUntilAborted(signal: AbortSignal): <Value>(awaited: Promise<Value>) => Promise<Value> {
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
