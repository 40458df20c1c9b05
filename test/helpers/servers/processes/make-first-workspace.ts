import { systemClock } from '../../../../core/base/clock.ts';
import { createLog } from '../../../../core/base/log.ts';
import { openDatabase } from '../../../../core/storage/database.ts';
import { testStores } from '../../stores/test-stores.ts';

/** Makes a workspace with a key before the first start on a folder, which makes the demo only if there is none yet. */
export async function makeFirstWorkspace(
  folder: string,
): Promise<{ readonly workspaceId: string; readonly key: string }> {
  const database = await openDatabase({ DATA_DIR: folder, DATABASE_URL: undefined }, createLog('silent'));
  const { workspaces, apiKeys } = testStores(database, systemClock);
  const { workspace } = await workspaces.create({ name: 'Killed', plan: 'enterprise' });
  const limits = { rateLimitMinute: 1_000, rateLimitDay: 100_000 };
  const { value } = await apiKeys.create(workspace.id, { name: 'Test', ...limits });
  await database.close();
  return { workspaceId: workspace.id, key: value };
}
