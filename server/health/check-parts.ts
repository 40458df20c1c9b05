import { setTimeout as wait } from 'node:timers/promises';
import type { Runtime } from '../../core/runtime.ts';

type Parts = Pick<Runtime, 'database' | 'queue' | 'embedder' | 'processes' | 'log'>;
type Check = 'ok' | 'failed';

export interface Checks {
  readonly database: Check;
  readonly queue: Check;
  readonly embedder: Check;
  /** Whether any process does background work. */
  readonly workers: Check;
}

const patienceMs = 2_000;

/** Asks each part for something small. What does not answer within two seconds has failed. */
export async function checkParts({ database, queue, embedder, processes, log }: Parts): Promise<Checks> {
  const check = async (part: keyof Checks, question: Promise<unknown>): Promise<Check> => {
    const patience = new AbortController();
    const silence = wait(patienceMs, 'silent', { signal: patience.signal });
    try {
      const answer = await Promise.race([question, silence]);
      if (answer === 'silent') log.warn({ part }, 'a part of this server does not answer');
      else if (answer === false) log.warn({ part }, 'no process that does this was seen lately');
      else return 'ok';
    } catch (err) {
      log.warn({ part, err }, 'a part of this server cannot be reached');
    } finally {
      silence.catch(() => {});
      patience.abort();
    }
    return 'failed';
  };
  const [databaseCheck, queueCheck, embedderCheck, workersCheck] = await Promise.all([
    check('database', database.pool.query('select 1')),
    check('queue', queue.ping()),
    check('embedder', embedder.check()),
    check('workers', processes.some('workers')),
  ]);
  return { database: databaseCheck, queue: queueCheck, embedder: embedderCheck, workers: workersCheck };
}
