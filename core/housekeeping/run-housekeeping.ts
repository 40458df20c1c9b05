import { setTimeout as wait } from 'node:timers/promises';
import type { Runtime } from '../runtime.ts';
import { keepHouse } from './keep-house.ts';

const pauseMs = 60_000;

/** Keeps the house, now and every minute, until the returned function is called: it resolves when nothing runs. */
export async function runHousekeeping(runtime: Runtime): Promise<() => Promise<void>> {
  const stopping = new AbortController();
  const rounds = keepOn(runtime, stopping.signal);
  return async () => {
    stopping.abort();
    await rounds;
  };
}

async function keepOn(runtime: Runtime, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await keepHouse(runtime, signal).catch((err: unknown) => {
      runtime.log.error({ err }, 'the housekeeping failed');
    });
    await runtime.secrets.resealInBackground(signal).catch((err: unknown) => {
      runtime.log.error({ err }, 'resealing secrets failed');
    });
    await pause(signal);
  }
}

async function pause(signal: AbortSignal): Promise<void> {
  await wait(pauseMs, undefined, { signal }).catch(() => {
    // Rejects when it is cut short: whoever waits looks at the signal.
  });
}
