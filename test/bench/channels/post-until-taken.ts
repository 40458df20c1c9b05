import { setTimeout as wait } from 'node:timers/promises';

const pauseMs = 100;
const patienceMs = 5_000;

/** Posts again and again, as platforms do, until it is acknowledged. */
export async function postUntilTaken(
  url: string,
  request: { readonly headers: Readonly<Record<string, string>>; readonly body: string },
): Promise<void> {
  for (;;) {
    const signal = AbortSignal.timeout(patienceMs);
    const response = await fetch(url, { method: 'POST', ...request, signal }).catch(() => null);
    await response?.arrayBuffer().catch(() => null);
    if (response?.ok) return;
    await wait(pauseMs);
  }
}
