import { afterAll } from 'vitest';
import { type Clock, systemClock } from '../../core/clock.ts';
import { type Config, readConfig } from '../../core/config.ts';
import { createLog } from '../../core/log.ts';
import { openRuntime, type Runtime } from '../../core/runtime.ts';
import { testDataFolder } from './test-data-folder.ts';

export interface TestRuntimeOptions {
  readonly environment?: Readonly<Record<string, string>>;
  readonly clock?: Clock;
}

export function testConfig(environment: Readonly<Record<string, string>> = {}): Config {
  return readConfig({ PORT: '0', ADMIN_TOKEN: 'a-token-for-the-tests', LOG_LEVEL: 'silent', ...environment });
}

/** Everything but servers and workers, on an embedded database of its own; closed after the test file. */
export async function openTestRuntime(options: TestRuntimeOptions = {}): Promise<Runtime> {
  const config = testConfig({ DATA_DIR: testDataFolder(), ...options.environment });
  const runtime = await openRuntime(config, createLog(config.LOG_LEVEL), options.clock ?? systemClock);
  afterAll(() => runtime.close());
  return runtime;
}
