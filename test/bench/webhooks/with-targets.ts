import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { startPostgres } from '../../helpers/stores/databases/start-postgres.ts';
import { startRedis } from '../../helpers/stores/databases/start-redis.ts';
import type { BenchRun } from '../bench-run.ts';
import { type ListedTarget, listTargets } from './list-targets.ts';

interface Bench {
  readonly scripts: string;
  readonly targets: readonly ListedTarget[];
  /** Processes of the servers that the targets use; their load is no disturbance. */
  readonly servers: readonly number[];
}

/**
 * Starts all targets for measuring webhooks, beside a PostgreSQL and a Redis that end with them. It needs load
 * scripts.
 */
export async function withTargets(
  run: BenchRun,
  part: string,
  measure: (bench: Bench) => Promise<void>,
): Promise<void> {
  const scripts = run.loadScripts;
  if (scripts === null) {
    run.print(`${part}: not measured, for --load does not name the folder of the load scripts`);
    return;
  }
  const folder = join(run.folder, part);
  // PostgreSQL runs as nobody.
  chmodSync(run.folder, 0o755);
  const postgres = await startPostgres(join(folder, 'postgres'), { durable: true });
  const redis = await startRedis(join(folder, 'redis'));
  const servers = [postgres, redis].flatMap((server) => server?.pid ?? []);
  try {
    await measure({ scripts, targets: listTargets({ scripts, folder, postgres, redis }), servers });
  } finally {
    await postgres?.stop();
    await redis?.stop();
  }
}
