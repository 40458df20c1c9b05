import { type Database, databaseOn } from '../../core/storage/database.ts';
import { lockDataFolder } from '../../core/storage/embedded/data-folder-lock.ts';
import { type DatabaseThread, startDatabaseThread } from '../../core/storage/embedded/database-thread.ts';
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

const idle: DatabaseThread[] = [];

/**
 * An empty embedded database that is the borrower's own until he closes it; `folder` is locked as if it were in there.
 * Starting a database takes longer than most tests: those of a test process go from file to file, emptied.
 */
export async function borrowDatabase(folder: string): Promise<Database> {
  const lock = lockDataFolder(folder, process.pid);
  const thread = idle.pop() ?? (await startDatabaseThread(copyTemplate()));
  return databaseOn(lent(thread), lock);
}

function lent(thread: DatabaseThread): DatabaseThread {
  let isGivenBack = false;
  return {
    ...thread,
    run: (text, values) =>
      isGivenBack ? Promise.reject(new Error('The database is closed.')) : thread.run(text, values),
    onNotification: (listener) =>
      thread.onNotification((channel, payload) => {
        if (!isGivenBack) listener(channel, payload);
      }),
    async close() {
      if (isGivenBack) return;
      isGivenBack = true;
      await thread.run(emptied);
      idle.push(thread);
    },
  };
}
