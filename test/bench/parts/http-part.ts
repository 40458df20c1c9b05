import { join } from 'node:path';
import { startPostgres } from '../../helpers/stores/databases/start-postgres.ts';
import { attempt } from '../attempt.ts';
import type { BenchRun } from '../bench-run.ts';
import { measureFanOut } from '../http/measure-fan-out.ts';
import { measurePaths } from '../http/measure-paths.ts';

/**
 * Measures the whole way over HTTP with a model and vectors that cost nothing. It needs `--load`, the folder of load
 * scripts.
 */
export async function httpPart(run: BenchRun): Promise<void> {
  const { loadScripts: scripts } = run;
  if (scripts === null) {
    run.print('http: not measured, for --load does not name the folder of the load scripts');
    return;
  }
  const postgres = await startPostgres(join(run.folder, 'postgres'), { durable: true });
  if (postgres === null)
    run.print('http: this machine lacks PostgreSQL with pgvector: embedded storage only');
  try {
    await attempt(run, () => measurePaths(run, scripts, postgres));
    await attempt(run, () => measureFanOut(run, scripts, postgres));
  } finally {
    await postgres?.stop();
  }
}
