import { setTimeout as wait } from 'node:timers/promises';
import { BenchError } from '../bench-error.ts';
import type { ChatPlatform } from '../chaos/platforms/chat-platform.ts';

/** Times are in milliseconds after the question was sent. */
export interface AskedOnce {
  readonly acknowledgedMs: number;
  /** NaN if there was no sign of typing. */
  readonly typingMs: number;
  readonly answeredMs: number;
  /** The answer as it was sent. */
  readonly answer: string;
}

const patienceMs = 30_000;
const lookMs = 1;

/** Lets one visitor ask one question. Throws a BenchError if they get no answer within half a minute. */
export async function askOnce(
  platform: ChatPlatform,
  { chat, question }: { readonly chat: number; readonly question: string },
): Promise<AskedOnce> {
  const begunAt = performance.now();
  const acknowledged = platform
    .tell({ chat, index: 1, text: question })
    .then(() => performance.now() - begunAt);
  const answer = await firstAnswer(platform, chat);
  const answeredMs = performance.now() - begunAt;
  const typingMs = (platform.typing?.get(chat) ?? Number.NaN) - begunAt;
  return { acknowledgedMs: await acknowledged, typingMs, answeredMs, answer };
}

async function firstAnswer(platform: ChatPlatform, chat: number): Promise<string> {
  const until = performance.now() + patienceMs;
  for (;;) {
    const [answer] = platform.sent.get(chat) ?? [];
    if (answer !== undefined) return answer;
    if (performance.now() > until) throw new BenchError('nobody answered within half a minute');
    await wait(lookMs);
  }
}
