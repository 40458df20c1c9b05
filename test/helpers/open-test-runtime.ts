import { afterAll } from 'vitest';
import type { Clock } from '../../core/clock.ts';
import { type Config, readConfig } from '../../core/config.ts';
import { createLog } from '../../core/log.ts';
import { openRuntime, type Runtime } from '../../core/runtime.ts';
import { openDatabase } from '../../core/storage/database.ts';
import { borrowDatabase } from './borrow-database.ts';
import { lendEmbedder } from './lend-embedder.ts';
import { emptyTestFolder } from './test-data-folder.ts';

export interface TestRuntimeOptions {
  readonly environment?: Readonly<Record<string, string>>;
  readonly clock?: Clock;
}

export function testConfig(environment: Readonly<Record<string, string>> = {}): Config {
  return readConfig({ PORT: '0', ADMIN_TOKEN: 'a-token-for-the-tests', LOG_LEVEL: 'silent', ...environment });
}

/** Everything but servers and workers, on an embedded database of its own; closed after the test file. */
export async function openTestRuntime(options: TestRuntimeOptions = {}): Promise<Runtime> {
  const config = testConfig({ DATA_DIR: emptyTestFolder(), ...options.environment });
  const runtime = await openRuntime(config, createLog(config.LOG_LEVEL), {
    ...(options.clock && { clock: options.clock }),
    openDatabase: (settings, log) =>
      settings.DATABASE_URL ? openDatabase(settings, log) : borrowDatabase(settings.DATA_DIR),
    openEmbedder: lendEmbedder,
  });
  afterAll(() => runtime.close());
  return runtime;
}
