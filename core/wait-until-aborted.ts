/**
 * A function that waits for one promise at a time and gives it up, with the signal's reason, as soon as the signal is
 * aborted.
 */
export function waitUntilAborted(signal: AbortSignal): <Value>(awaited: Promise<Value>) => Promise<Value> {
  let giveUp = (_reason: unknown): void => {};
  signal.addEventListener('abort', () => giveUp(signal.reason), { once: true });
  return (awaited) =>
    new Promise((resolve, reject) => {
      giveUp = reject;
      awaited.then(resolve, reject);
      if (signal.aborted) reject(signal.reason);
    });
}
