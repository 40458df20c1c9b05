import { describe, expect, test } from 'vitest';
import { findStaleTables, vacuum } from '../../../core/storage/vacuum.ts';
import { openTestDatabase, testEngines } from '../../helpers/stores/databases/test-databases.ts';

describe.each(testEngines)('tables that need a vacuum on %s', async (engine) => {
  const database = await openTestDatabase(engine);
  const change = async (rows: number) => {
    await database.pool.query('create table if not exists worn (id integer primary key, changed integer)');
    await database.pool.query(
      `insert into worn select generate_series(1, ${rows}), 0 on conflict (id) do update set changed = worn.changed + 1`,
    );
  };

  test('are those with many changes since the last one, and none on a server with autovacuum', async () => {
    // The vacuum discards the changes that other tests made in the same session.
    await vacuum(database, await findStaleTables(database));
    await change(900);
    expect(await findStaleTables(database)).toEqual([]);
    await change(900);
    expect(await findStaleTables(database)).toEqual(engine === 'embedded' ? ['public.worn'] : []);
    await vacuum(database, await findStaleTables(database));
    expect(await findStaleTables(database)).toEqual([]);
  });
});
