import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { freePort } from '../../helpers/servers/network/free-port.ts';
import { BenchError } from '../bench-error.ts';
import { startProcess } from '../http/managed-process.ts';
import { type Moments, momentsSchema } from './moments.ts';
import type { Pace } from './pace.ts';

const script = fileURLToPath(new URL('./paced-provider.ts', import.meta.url));
const pollMs = 100;
const patienceMs = 5_000;

export interface PacedProvider {
  readonly address: string;
  setPace(pace: Pace): Promise<void>;
  /** Returns the times noted for these numbers, once all have ended. */
  momentsOf(numbers: readonly number[]): Promise<ReadonlyMap<number, Moments>>;
  stop(): Promise<void>;
}

/** Starts the provider on the core of the visitors. */
export async function startPacedProvider(): Promise<PacedProvider> {
  const port = await freePort();
  const address = `http://127.0.0.1:${port}`;
  const provider = await startProcess({
    program: process.execPath,
    args: ['--disable-warning=ExperimentalWarning', script, `${port}`],
    ready: /ready/,
    core: 1,
  });
  return {
    address,
    async setPace(pace) {
      await fetch(`${address}/pace`, { method: 'POST', body: JSON.stringify(pace) });
    },
    async momentsOf(numbers) {
      for (let waited = 0; waited < patienceMs; waited += pollMs) {
        const answered = await fetch(`${address}/moments`);
        const all = z.array(momentsSchema).parse(await answered.json());
        const ended = new Map(
          all.filter(({ endedAt }) => endedAt !== undefined).map((one) => [one.number, one]),
        );
        if (numbers.every((number) => ended.has(number))) return ended;
        await wait(pollMs);
      }
      throw new BenchError('model: the provider was not asked for each answer, or its connections stay open');
    },
    stop: () => provider.stop(),
  };
}
