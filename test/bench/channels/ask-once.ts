import { setTimeout as wait } from 'node:timers/promises';
import { BenchError } from '../bench-error.ts';
import type { DemoPlatform, Heard } from './channel-demo.ts';

/** Times are in milliseconds after the question was sent. */
export interface AskedOnce {
  readonly acknowledgedMs: number;
  /** NaN where there was no sign of typing. */
  readonly typingMs: number;
  readonly answeredMs: number;
  readonly answer: Heard;
}

const patienceMs = 30_000;
const lookMs = 1;

/** One visitor asks one question. Throws a BenchError where he is not answered in half a minute. */
export async function askOnce(
  platform: DemoPlatform,
  { chat, question }: { readonly chat: number; readonly question: string },
): Promise<AskedOnce> {
  const begunAt = performance.now();
  await platform.say({ chat, index: 1, text: question });
  const acknowledgedMs = performance.now() - begunAt;
  const answer = await firstAnswer(platform, chat);
  const typing = platform.heardBy(chat).find(({ kind }) => kind === 'typing');
  return {
    acknowledgedMs,
    typingMs: (typing?.atMs ?? Number.NaN) - begunAt,
    answeredMs: answer.atMs - begunAt,
    answer,
  };
}

async function firstAnswer(platform: DemoPlatform, chat: number): Promise<Heard> {
  const until = performance.now() + patienceMs;
  for (;;) {
    const answer = platform.heardBy(chat).find(({ kind }) => kind === 'answer');
    if (answer !== undefined) return answer;
    if (performance.now() > until) throw new BenchError('nobody answered within half a minute');
    await wait(lookMs);
  }
}
