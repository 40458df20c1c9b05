import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { copyRunning, fillFromCopy, fillFromStopped } from '../../../core/backup/embedded-backup.ts';
import { fillFromPostgres } from '../../../core/backup/postgres-backup.ts';
import { restoreBackup } from '../../../core/backup/restore-backup.ts';
import { takeBackup } from '../../../core/backup/take-backup.ts';
import { systemClock } from '../../../core/base/clock.ts';
import { createLog } from '../../../core/base/log.ts';
import { markEncryptionKey, SecretBox } from '../../../core/secrets/secret-box.ts';
import { type Database, openDatabase } from '../../../core/storage/database.ts';
import { Settings } from '../../../core/storage/settings.ts';
import { emptyTestFolder, testDataFolder } from '../../helpers/stores/databases/test-data-folder.ts';
import {
  createBareDatabase,
  createDatabase,
  testEngines,
} from '../../helpers/stores/databases/test-databases.ts';

const key = Buffer.alloc(32, 7);
const box = new SecretBox(key);
const log = createLog('silent');
const common = { environment: process.env, signal: AbortSignal.timeout(120_000), log };
const place = { table: 'webhook', column: 'secret_encrypted', id: 'hook_1' } as const;
const version = '0.1.0';

/** Rows of tables with keys of each other, a sealed secret, and a value of every kind that is hard to copy. */
async function seed({ kysely }: Database): Promise<void> {
  await markEncryptionKey(new Settings(kysely), box);
  await sql`insert into owner (id, created_at) values ('own_1', now())`.execute(kysely);
  await sql`
    insert into workspace (id, owner_id, name, plan, identity_secret_encrypted, public_token, created_at)
    values ('ws_1', 'own_1', ${'Grüße "quoted" \\ \n 🌱'}, 'free', 'sealed', 'pub_1', now())`.execute(kysely);
  await sql`
    insert into webhook (id, workspace_id, url, events, secret_encrypted, created_at)
    values ('hook_1', 'ws_1', 'https://pots.example/', '{document.indexed}', ${box.seal('whsec_1', place)}, now())
  `.execute(kysely);
}

/** The content of every table, as one hash each. */
async function hashTables({ pool }: Database): Promise<Readonly<Record<string, string>>> {
  const query = async (text: string): Promise<readonly Record<string, unknown>[]> =>
    (await pool.query(text)).rows;
  const tables = await query(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname in ('public', 'bullmq')`,
  );
  const hashes: [string, string][] = [];
  for (const { name } of tables) {
    const [row] = await query(
      `select coalesce(md5(string_agg(one::text, '|' order by one::text)), '') as hash from ${name} one`,
    );
    hashes.push([String(name), String(row?.hash)]);
  }
  return Object.fromEntries(hashes);
}

async function openSealed({ kysely }: Database): Promise<string> {
  const row = await kysely.selectFrom('webhook').select('secret_encrypted').executeTakeFirstOrThrow();
  return box.open(row.secret_encrypted, place);
}

const keys = { ENCRYPTION_KEY: key, ENCRYPTION_KEY_PREVIOUS: [] };

test('an embedded database that runs is restored with every row, and so is one that is stopped', async () => {
  const folder = testDataFolder();
  const to = emptyTestFolder();
  const database = await openDatabase({ DATA_DIR: folder, DATABASE_URL: undefined }, log);
  await seed(database);
  const before = await hashTables(database);
  const running = await takeBackup({
    ...{ to, version, engine: 'embedded', now: new Date('2026-11-28T04:00:00Z') },
    fill: async (at) => fillFromCopy(folder, await copyRunning(database, { folder, clock: systemClock }), at),
  });
  expect(running).toMatchObject({ keyId: box.keyId });
  expect(await hashTables(database)).toEqual(before);
  const stopped = (at: string) => fillFromStopped(folder, at);
  const now = new Date('2026-11-28T05:00:00Z');
  await expect(takeBackup({ to, version, engine: 'embedded', now, fill: stopped })).rejects.toThrow(
    /is using DATA_DIR/,
  );
  await database.close();

  const config = { DATA_DIR: join(emptyTestFolder(), 'restored'), DATABASE_URL: undefined, ...keys };
  const manifest = await restoreBackup(running.folder, { ...common, config });
  expect(manifest.tables).toMatchObject({ 'public.workspace': 1, 'public.webhook': 1 });
  const restored = await openDatabase(config, log);
  expect(await hashTables(restored)).toEqual(before);
  expect(await openSealed(restored)).toBe('whsec_1');
  await restored.close();

  const again = await takeBackup({ to, version, engine: 'embedded', now, fill: stopped });
  expect(again).toMatchObject({ tables: running.tables, rows: running.rows });
}, 120_000);

describe.skipIf(!testEngines.includes('postgres'))('a PostgreSQL database', () => {
  test('is restored with every row, and refused where it is in use or holds data', async () => {
    const url = await createDatabase();
    const source = await openDatabase({ DATA_DIR: '', DATABASE_URL: url }, log);
    await seed(source);
    const before = await hashTables(source);
    const taken = await takeBackup({
      ...{ to: emptyTestFolder(), version, engine: 'postgres', now: systemClock.now() },
      fill: (at) => fillFromPostgres(at, { ...common, url }),
    });
    const restore = (target: string) =>
      restoreBackup(taken.folder, { ...common, config: { DATA_DIR: '', DATABASE_URL: target, ...keys } });
    await expect(restore(url)).rejects.toThrow(
      /^The database of DATABASE_URL is in use by \d+ other sessions\. Stop/,
    );
    await source.close();
    await expect(restore(url)).rejects.toThrow(
      /is not empty: it has \d+ tables, such as .* Create an empty database/,
    );

    const target = await createBareDatabase();
    await restore(target);
    const restored = await openDatabase({ DATA_DIR: '', DATABASE_URL: target }, log);
    expect(await hashTables(restored)).toEqual(before);
    expect(await openSealed(restored)).toBe('whsec_1');
    await restored.close();
  }, 120_000);

  test('needs pg_dump on the PATH, as new as the server', async () => {
    const url = await createDatabase();
    const environment = { PATH: mkdtempSync(join(emptyTestFolder(), 'no-programs-')) };
    const taking = takeBackup({
      ...{ to: emptyTestFolder(), version, engine: 'postgres', now: systemClock.now() },
      fill: (at) => fillFromPostgres(at, { ...common, environment, url }),
    });
    await expect(taking).rejects.toThrow(
      /^pg_dump is not on the PATH.* Install the client programs of PostgreSQL/,
    );
  });
});
