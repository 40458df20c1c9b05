import { BenchError } from '../bench-error.ts';
import { sendVisitors } from './send-visitors.ts';
import type { PacedProvider } from './start-paced-provider.ts';
import type { StreamTarget } from './stream-target.ts';

const thoughtful = { shortestThoughtMs: 100, thoughtSpreadMs: 200, sentences: 1 };
const hasty = { shortestThoughtMs: 0, thoughtSpreadMs: 0, sentences: 1 };
/** The measurement continues for a second after the last visitor has left. */
const talkative = { ...thoughtful, sentences: 5 };
const warmUp = { streams: 100, atOnce: 20, leaves: false };
const alone = { streams: 80, atOnce: 1, leaves: false };
const together = { streams: 400, atOnce: 20, leaves: false };
const leaving = { streams: 100, atOnce: 20, leaves: true };

/** All in milliseconds. */
export interface TargetTimes {
  /** The times from the model's first word to the visitor's, one stream after the other. */
  readonly alone: readonly number[];
  /** The times of twenty streams that are opened together. */
  readonly together: readonly number[];
  /** The times of a model that writes while the other visitors' passages are still searched for. */
  readonly hurried: readonly number[];
  /** The times from a visitor's leaving until the connection to the model is closed, of the same number. */
  readonly leaving: readonly number[];
}

export async function measureTarget(target: StreamTarget, provider: PacedProvider): Promise<TargetTimes> {
  await provider.setPace(thoughtful);
  await sendVisitors(target, warmUp);
  const inTime = {
    alone: await firstWords(target, provider, alone),
    together: await firstWords(target, provider, together),
  };
  await provider.setPace(hasty);
  const hurried = await firstWords(target, provider, together);
  await provider.setPace(talkative);
  return { ...inTime, hurried, leaving: await closings(target, provider) };
}

async function firstWords(
  target: StreamTarget,
  provider: PacedProvider,
  load: typeof alone,
): Promise<readonly number[]> {
  const visits = await sendVisitors(target, load);
  const moments = await provider.momentsOf(visits.map(({ number }) => number));
  return visits.map(({ number, wordAt }) => wordAt - (moments.get(number)?.wordAt ?? Number.NaN));
}

async function closings(target: StreamTarget, provider: PacedProvider): Promise<readonly number[]> {
  const visits = await sendVisitors(target, leaving);
  const moments = await provider.momentsOf(visits.map(({ number }) => number));
  return visits.map(({ number, leftAt = Number.NaN }) => {
    const { endedAt = Number.NaN, isCut = false } = moments.get(number) ?? {};
    if (!isCut) throw new BenchError(`${target.name}: a visitor left, and the model wrote on to its end`);
    return endedAt - leftAt;
  });
}
