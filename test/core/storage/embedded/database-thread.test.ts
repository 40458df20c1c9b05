import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startDatabaseThread } from '../../../../core/storage/embedded/database-thread.ts';
import { testDataFolder } from '../../../helpers/stores/databases/test-data-folder.ts';

test('a database that shuts itself down is reported as lost, and fails waiting statements', async () => {
  const folder = testDataFolder();
  const thread = await startDatabaseThread(folder);
  await thread.run({ text: 'create table kept (id int)' });
  // As on a full disk: the write-ahead log cannot grow.
  const log = join(folder, 'postgres', 'pg_wal');
  renameSync(log, `${log}.away`);
  await thread.run({ text: 'select pg_switch_wal()' });
  const statements = Array.from({ length: 3 }, () => thread.run({ text: 'insert into kept values (1)' }));
  const settled = await Promise.allSettled(statements);
  expect(settled.map(({ status }) => status)).not.toContain('fulfilled');
  const reason = await thread.died;
  expect(reason.message).toMatch(/pg_wal/);
  await expect(thread.run({ text: 'select 1' })).rejects.toBe(reason);
  await thread.close();

  renameSync(`${log}.away`, log);
  const again = await startDatabaseThread(folder);
  expect((await again.run({ text: 'select * from kept' })).rows).toEqual([]);
  await again.close();
});
