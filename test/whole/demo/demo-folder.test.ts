import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openDemo } from '../../../core/demo/open-demo.ts';
import { runIngestWorker } from '../../../workers/ingest/worker.ts';
import { openTestRuntime } from '../../helpers/servers/open-test-runtime.ts';
import { testDataFolder } from '../../helpers/stores/databases/test-data-folder.ts';
import { createDatabase, testEngines } from '../../helpers/stores/databases/test-databases.ts';

test.runIf(testEngines.includes('postgres'))(
  'on a PostgreSQL server the demo creates the folder for its key, which nothing else needs',
  async () => {
    const DATA_DIR = join(testDataFolder(), 'not', 'there');
    const secrets = { ADMIN_TOKEN: 'a-token-for-the-test', ENCRYPTION_KEY: '0'.repeat(64) };
    const runtime = await openTestRuntime({
      environment: { DATABASE_URL: await createDatabase(), DATA_DIR, ...secrets },
    });
    const stop = await runIngestWorker(runtime);
    await openDemo(runtime);
    await stop();
    expect(existsSync(join(DATA_DIR, 'demo-key'))).toBe(true);
  },
  180_000,
);
