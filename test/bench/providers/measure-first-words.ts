import { readEvents } from '../../helpers/read-events.ts';
import type { ProviderCase } from './provider-case.ts';
import type { StandInProvider } from './stand-in-provider.ts';
import { nextQuestion, post } from './visit.ts';

const atOnce = 20;
const rounds = 11;

interface Means {
  readonly key: string;
  readonly provider: StandInProvider;
}

/**
 * Milliseconds from the provider's first word to the visitor's, of streams that are opened together. The first round
 * warms up and does not count.
 */
export async function measureFirstWords(served: ProviderCase, means: Means): Promise<readonly number[]> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const late = await Promise.all(Array.from({ length: atOnce }, () => firstWordLate(served, means)));
    if (round > 0) times.push(...late);
  }
  return times;
}

async function firstWordLate(served: ProviderCase, { key, provider }: Means): Promise<number> {
  const { number, query } = nextQuestion();
  const { body } = await post(served, { key, query });
  let heardAt = Number.NaN;
  if (body !== null) {
    for await (const { token } of readEvents(body)) {
      if (token && Number.isNaN(heardAt)) heardAt = performance.now();
    }
  }
  return heardAt - (provider.firstWords.get(number) ?? Number.NaN);
}
