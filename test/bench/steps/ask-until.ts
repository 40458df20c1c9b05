import { setTimeout as wait } from 'node:timers/promises';
import type { Ask } from './open-visitor.ts';

const pauseMilliseconds = 200;

/** Asks one question after the other until `end` settles, or the questions end. Returns the milliseconds of each. */
export async function askUntil(
  end: Promise<unknown>,
  questions: readonly string[],
  ask: Ask,
): Promise<number[]> {
  let ended = false;
  const markEnd = () => {
    ended = true;
  };
  end.then(markEnd, markEnd);
  const times: number[] = [];
  for (const question of questions) {
    if (ended) break;
    const before = performance.now();
    await ask(question);
    times.push(performance.now() - before);
    await wait(pauseMilliseconds);
  }
  return times;
}
