import type { ProviderCase } from './provider-case.ts';
import type { StandInProvider } from './stand-in-provider.ts';
import { nextQuestion, post } from './visit.ts';

const visits = 20;

/** Milliseconds from a visitor's leaving a streamed answer until the provider's connection is closed, by visit. */
export async function measureLeaving(
  served: ProviderCase,
  { key, provider }: { readonly key: string; readonly provider: StandInProvider },
): Promise<readonly number[]> {
  const times: number[] = [];
  for (let visit = 0; visit < visits; visit += 1) {
    const left = provider.nextLeft();
    const asked = provider.nextAsked();
    const visitor = new AbortController();
    const posted = post(served, { key, query: nextQuestion().query, signal: visitor.signal });
    // It ends by our leaving, or has ended by then.
    const reading = Promise.allSettled([posted.then((response) => response.text())]);
    await asked;
    const leftAt = performance.now();
    visitor.abort();
    times.push((await left) - leftAt);
    await reading;
  }
  return times;
}
