import { z } from 'zod';
import { BackupRefusal } from './backup-refusal.ts';

/** Runs one statement and returns its rows. */
export type RunQuery = (text: string) => Promise<readonly unknown[]>;

/** The facts about a database that a manifest tells. */
export interface DatabaseFacts {
  readonly engineVersion: string;
  readonly migrations: readonly string[];
  /** The id of the key of the stored secrets; null before the first start. */
  readonly keyId: string | null;
  /** The number of rows by table, such as `public.message`. */
  readonly tables: Readonly<Record<string, number>>;
}

/** Tables of people and of the queue. Those of extensions are made by the extension. */
const ownTables = `
  pg_class join pg_namespace on pg_namespace.oid = relnamespace
  where relkind = 'r' and relpersistence <> 't'
    and nspname not in ('pg_catalog', 'information_schema') and nspname not like 'pg\\_%'
    and not exists (select from pg_depend where classid = 'pg_class'::regclass and objid = pg_class.oid and deptype = 'e')`;

/** Throws a BackupRefusal if the database holds no installation. */
export async function readFacts(run: RunQuery): Promise<DatabaseFacts> {
  const [found] = rows(
    await run(`
    select current_setting('server_version') as version,
      to_regclass('public.migration') is not null and to_regclass('public.setting') is not null as is_ours`),
    {
      version: z.string(),
      is_ours: z.boolean(),
    },
  );
  if (found?.is_ours !== true) {
    throw new BackupRefusal('The database holds no installation of Parley. Check DATABASE_URL and DATA_DIR.');
  }
  const migrations = rows(await run('select name from public.migration order by name'), { name: z.string() });
  const checks = rows(await run("select value from public.setting where name = 'encryption_check'"), {
    value: z.string(),
  });
  return {
    engineVersion: found.version,
    migrations: migrations.map(({ name }) => name),
    // A sealed value is `v2.<key id>.…`.
    keyId: checks[0]?.value.split('.')[1] ?? null,
    tables: await countRows(run),
  };
}

/** Returns the names of all tables, such as `public.message`. */
export async function listTables(run: RunQuery): Promise<readonly string[]> {
  const found = rows(await run(`select nspname || '.' || relname as name from ${ownTables} order by 1`), {
    name: z.string(),
  });
  return found.map(({ name }) => name);
}

/** Counts in one statement, so that all numbers are of one moment. */
export async function countRows(run: RunQuery): Promise<Readonly<Record<string, number>>> {
  const [statement] = rows(
    await run(`
    select string_agg(
      format('select %L as name, count(*)::float8 as count from %I.%I', nspname || '.' || relname, nspname, relname),
      ' union all ' order by nspname, relname
    ) as text from ${ownTables}`),
    { text: z.string().nullable() },
  );
  if (statement?.text == null) return {};
  const counts = rows(await run(statement.text), { name: z.string(), count: z.number() });
  return Object.fromEntries(counts.map(({ name, count }) => [name, count]));
}

/** Returns one line for each table whose number of rows differs. */
export function compareCounts(
  expected: Readonly<Record<string, number>>,
  found: Readonly<Record<string, number>>,
): readonly string[] {
  const names = [...new Set([...Object.keys(expected), ...Object.keys(found)])].toSorted();
  return names.flatMap((name) => {
    const [wanted = 'no', there = 'no'] = [expected[name], found[name]];
    return wanted === there ? [] : [`${name} has ${there} rows instead of ${wanted}`];
  });
}

function rows<Shape extends z.ZodRawShape>(found: readonly unknown[], shape: Shape) {
  return z.array(z.object(shape)).parse(found);
}
