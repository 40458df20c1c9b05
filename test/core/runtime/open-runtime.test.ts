import { expect, test } from 'vitest';
import { StartError } from '../../../core/base/errors.ts';
import { createLog } from '../../../core/base/log.ts';
import { unavailableEmbedder } from '../../../core/knowledge/embedding/embedder.ts';
import { openRuntime } from '../../../core/runtime/runtime.ts';
import { testConfig } from '../../helpers/servers/open-test-runtime.ts';
import { borrowDatabase } from '../../helpers/stores/databases/borrow-database.ts';
import { emptyTestFolder } from '../../helpers/stores/databases/test-data-folder.ts';

const noConnectors = { connectors: [], findConnector: () => undefined };

/** Opens a runtime and returns the names of its services in the order in which they are closed. */
function recordClosing(connectors: Promise<typeof noConnectors>) {
  const config = testConfig({ DATA_DIR: emptyTestFolder() });
  const closed: string[] = [];
  const runtime = openRuntime(config, createLog('silent'), {
    connectors,
    openDatabase: async () => {
      const database = await borrowDatabase(config.DATA_DIR);
      const close = async () => {
        closed.push('database');
        await database.close();
      };
      return { ...database, close };
    },
    openEmbedder: async () => ({ ...unavailableEmbedder, close: async () => void closed.push('embedder') }),
  });
  return { runtime, closed };
}

test('parts opened before a failure are closed, the latest first', async () => {
  const failure = new StartError('A connector is broken.');
  const connectors = Promise.reject(failure);
  // The runtime waits for the connectors later, when the database is open.
  connectors.catch(() => undefined);
  const { runtime, closed } = recordClosing(connectors);
  await expect(runtime).rejects.toBe(failure);
  expect(closed).toEqual(['embedder', 'database']);
});

test('a runtime closes its database last', async () => {
  const { runtime, closed } = recordClosing(Promise.resolve(noConnectors));
  await (await runtime).close();
  expect(closed.at(-1)).toBe('database');
  expect(closed.filter((name) => name === 'database')).toHaveLength(1);
});
