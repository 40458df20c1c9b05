import { type Database, openDatabaseOnThread } from '../../../core/storage/database.ts';
import { lockDataFolder } from '../../../core/storage/embedded/data-folder-lock.ts';
import { type DatabaseThread, startDatabaseThread } from '../../../core/storage/embedded/database-thread.ts';
import { copyTemplate } from './test-data-folder.ts';

/** Every row of every table but those that say which migrations have run. */
const emptied = `
  rollback;
  unlisten *;
  set session_replication_role to replica;
  do $$ declare full_name text; begin
    for full_name in
      select format('%I.%I', schemaname, tablename) from pg_tables
      where schemaname in ('public', 'bullmq') and tablename !~ 'migration'
    loop
      execute 'delete from ' || full_name;
    end loop;
  end $$;
  set session_replication_role to default`;

/** A test that has altered a table leaves other ones than it found. */
const columns = `
  select md5(string_agg(table_name || ' ' || column_name, ',' order by table_name, ordinal_position)) as shape
  from information_schema.columns where table_schema in ('public', 'bullmq')`;

const idle: { readonly thread: DatabaseThread; readonly shape: unknown }[] = [];

/**
 * An empty embedded database that is the borrower's own until he closes it; `folder` is locked as if it were in there.
 * Starting a database takes longer than most tests: those of a test process go from file to file, emptied.
 */
export async function borrowDatabase(folder: string): Promise<Database> {
  const lock = lockDataFolder(folder, process.pid);
  const { thread, shape } = idle.pop() ?? (await start());
  return openDatabaseOnThread(lent(thread, shape), lock);
}

async function start() {
  const thread = await startDatabaseThread(copyTemplate());
  return { thread, shape: await shapeOf(thread) };
}

async function shapeOf(thread: DatabaseThread): Promise<unknown> {
  const { rows } = await thread.run({ text: columns });
  return rows[0]?.shape;
}

function lent(thread: DatabaseThread, shape: unknown): DatabaseThread {
  let isGivenBack = false;
  return {
    ...thread,
    run: (statement) =>
      isGivenBack ? Promise.reject(new Error('The database is closed.')) : thread.run(statement),
    onNotification: (listener) =>
      thread.onNotification((channel, payload) => {
        if (!isGivenBack) listener(channel, payload);
      }),
    async close() {
      if (isGivenBack) return;
      isGivenBack = true;
      await thread.run({ text: emptied });
      if ((await shapeOf(thread)) === shape) idle.push({ thread, shape });
      else await thread.close();
    },
  };
}
