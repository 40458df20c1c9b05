import { expect, test } from 'vitest';
import { findOwnerFolders } from '../../../core/sources/folder/folder.ts';
import { SourceBench } from '../../helpers/sources/source-bench.ts';
import { openTestDatabase } from '../../helpers/stores/databases/test-databases.ts';

test('a folder is that of one owner, and a path alone that of the first owner', async () => {
  const database = await openTestDatabase('embedded');
  const bench = new SourceBench(database);
  const [first, second] = [await bench.workspace(), await bench.workspace()];
  const { owner_id: ownerId } = await database.kysely
    .selectFrom('workspace')
    .select('owner_id')
    .where('id', '=', second)
    .executeTakeFirstOrThrow();
  // Both owners were made in the same moment of the test's clock.
  await database.kysely
    .updateTable('owner')
    .set({ created_at: new Date('2040-01-01') })
    .where('id', '=', ownerId)
    .execute();
  const folders = [
    { ownerId: null, path: '/srv/handbook' },
    { ownerId, path: '/srv/second' },
    { ownerId: 'own_nobody', path: '/srv/nobody' },
  ];
  const find = (workspaceId: string) => findOwnerFolders(database.kysely, folders, workspaceId);
  expect(await find(first)).toEqual(['/srv/handbook']);
  expect(await find(second)).toEqual(['/srv/second']);
  expect(await find('ws_unknown')).toEqual([]);
});
