import { type Database, openDatabaseOnThread } from '../../../../core/storage/database.ts';
import { lockDataFolder } from '../../../../core/storage/embedded/data-folder-lock.ts';
import {
  type DatabaseThread,
  startDatabaseThread,
} from '../../../../core/storage/embedded/database-thread.ts';
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

/** A test that has altered a table, a migration, an index, a function or a trigger leaves other ones than it found. */
const definitions = `
  select md5(string_agg(part, ',' order by part)) as shape from (
    select format('%s %s %s', table_name, column_name, ordinal_position)
    from information_schema.columns where table_schema in ('public', 'bullmq')
    union all
    select format('%s %s', name, hash) from migration
    union all
    select indexdef from pg_indexes where schemaname in ('public', 'bullmq')
    union all
    select format('%s %s', oid::regprocedure, prosrc) from pg_proc where pronamespace = 'public'::regnamespace
    union all
    select format('%s %s %s', tgrelid::regclass, tgname, tgenabled) from pg_trigger where not tgisinternal
  ) defined (part)`;

type Listener = Parameters<DatabaseThread['onNotification']>[0];

interface Lendable {
  readonly thread: DatabaseThread;
  readonly shape: unknown;
  /** The listeners of the borrower. */
  readonly listeners: Set<Listener>;
}

const idle: Lendable[] = [];

/**
 * An empty embedded database for the borrower alone until they close it; `folder` is locked as if it were in there.
 * Starting a database takes longer than most tests: those of a test process go from file to file, emptied.
 */
export async function borrowDatabase(folder: string): Promise<Database> {
  const lock = lockDataFolder(folder, process.pid);
  return openDatabaseOnThread(lent(idle.pop() ?? (await start())), lock);
}

async function start(): Promise<Lendable> {
  const thread = await startDatabaseThread(copyTemplate());
  const listeners = new Set<Listener>();
  thread.onNotification((channel, payload) => {
    for (const listener of listeners) listener(channel, payload);
  });
  return { thread, listeners, shape: await shapeOf(thread) };
}

async function shapeOf(thread: DatabaseThread): Promise<unknown> {
  const { rows } = await thread.run({ text: definitions });
  return rows[0]?.shape;
}

function lent(lendable: Lendable): DatabaseThread {
  const { thread, shape, listeners } = lendable;
  let isGivenBack = false;
  return {
    ...thread,
    run: (statement) =>
      isGivenBack ? Promise.reject(new Error('The database is closed.')) : thread.run(statement),
    onNotification: (listener) => void listeners.add(listener),
    async close() {
      if (isGivenBack) return;
      isGivenBack = true;
      listeners.clear();
      await thread.run({ text: emptied });
      if ((await shapeOf(thread)) === shape) idle.push(lendable);
      else await thread.close();
    },
  };
}
