import { setTimeout as wait } from 'node:timers/promises';
import type { ChatRecord } from './chat-record.ts';
import { judge } from './judge.ts';

interface Patience {
  /** However it is then. */
  readonly longestMs: number;
  /** The time to wait for answers that are given twice. */
  readonly quietMs: number;
}

/** The interval at which the key may ask, once for each conversation. */
const lookMs = 5_000;

/**
 * Waits until everything is answered and nothing was answered again for a while. Returns the records, and when that
 * was.
 */
export async function untilSettled(
  look: () => Promise<readonly ChatRecord[]>,
  { longestMs, quietMs }: Patience,
): Promise<{ readonly records: readonly ChatRecord[]; readonly settledAt: number }> {
  const startedAt = performance.now();
  for (;;) {
    const { unanswered, neverAnswered, answersNotKept } = judge(await look());
    const isOver = performance.now() - startedAt > longestMs;
    if (unanswered + neverAnswered + answersNotKept === 0 || isOver) break;
    await wait(lookMs);
  }
  const settledAt = performance.now();
  await wait(quietMs);
  return { records: await look(), settledAt };
}
