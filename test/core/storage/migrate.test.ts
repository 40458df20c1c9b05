import { type Kysely, sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { createLog } from '../../../core/base/log.ts';
import { openDatabase } from '../../../core/storage/database.ts';
import { migrate } from '../../../core/storage/migrate.ts';
import type { Tables } from '../../../core/storage/tables/tables.ts';
import { dumpCatalogue } from '../../helpers/stores/databases/dump-catalogue.ts';
import {
  createBareDatabase,
  openUnusedDatabase,
  testEngines,
} from '../../helpers/stores/databases/test-databases.ts';

const log = createLog('silent');
const update = (kysely: Kysely<Tables>) => migrate(kysely, { log });

/** As another version of the files would have left it. */
const forgetHash = (kysely: Kysely<Tables>, name: 'functions' | 'triggers') =>
  sql`update migration set hash = 'another' where name = ${name}`.execute(kysely);

describe.each(testEngines)('an installed database, on %s', async (engine) => {
  const { kysely } = await openUnusedDatabase(engine);
  const before = await dumpCatalogue(kysely);

  test('is left alone while the files are the same', async () => {
    const applied = () => sql`select * from migration order by name`.execute(kysely);
    const { rows } = await applied();
    await update(kysely);
    expect((await applied()).rows).toEqual(rows);
    expect(await dumpCatalogue(kysely)).toEqual(before);
  });

  test('gets changed functions, also those with other arguments, names of arguments or results', async () => {
    await sql
      .raw(`
        create or replace function reached(asked timestamptz) returns timestamptz language sql stable as 'select now()';
        drop function memory_span(text);
        create function memory_span(text, other integer) returns integer[] language sql as 'select null::integer[]';
        drop function next_part(text, text);
        create function next_part(asked_channel text, other_name text) returns jsonb language sql as 'select null::jsonb';
        drop function reserve_messages(text, date, integer, integer);
        create function reserve_messages(asked_owner text, asked_month date, most integer, wanted integer)
          returns bigint language sql as 'select 1::bigint';
        drop function take_token(text, integer, float8, timestamptz);
        create or replace function note_change() returns trigger language plpgsql as 'begin return null; end'`)
      .execute(kysely);
    await forgetHash(kysely, 'functions');
    await update(kysely);
    expect(await dumpCatalogue(kysely)).toEqual(before);
  });

  test('keeps functions that are not ours', async () => {
    await sql`create function of_an_operator() returns integer language sql as 'select 1'`.execute(kysely);
    await forgetHash(kysely, 'functions');
    await update(kysely);
    expect((await sql`select of_an_operator() as one`.execute(kysely)).rows).toEqual([{ one: 1 }]);
    await sql`drop function of_an_operator()`.execute(kysely);
  });

  test('gets changed triggers', async () => {
    await sql`drop trigger note_change on audit_entry`.execute(kysely);
    await sql`
      create or replace trigger note_opinion after insert on message for each row
      execute function note_opinion()`.execute(kysely);
    await forgetHash(kysely, 'triggers');
    await update(kysely);
    expect(await dumpCatalogue(kysely)).toEqual(before);
  });

  test('of a newer version is refused', async () => {
    await sql`insert into migration (name) values ('9999-from-the-future')`.execute(kysely);
    await expect(update(kysely)).rejects.toThrow(/written by a newer version of Parley/);
    await sql`delete from migration where name = '9999-from-the-future'`.execute(kysely);
  });
});

describe.skipIf(!testEngines.includes('postgres'))('on a PostgreSQL server', () => {
  test('functions are replaced while other processes have read and written in open transactions', async () => {
    const { kysely } = await openUnusedDatabase('postgres');
    const before = await dumpCatalogue(kysely);
    await kysely.transaction().execute(async (transaction) => {
      await sql`insert into owner values ('owner', now())`.execute(transaction);
      await transaction.selectFrom('conversation').select('id').execute();
      await sql`select memory_span('none')`.execute(transaction);
      await forgetHash(kysely, 'functions');
      await update(kysely);
      await sql`select memory_span('none')`.execute(transaction);
    });
    expect(await dumpCatalogue(kysely)).toEqual(before);
  });

  test('a transaction that has a table locked is neither cancelled nor overtaken', async () => {
    const { kysely } = await openUnusedDatabase('postgres');
    const before = await dumpCatalogue(kysely);
    await sql`drop trigger note_change on audit_entry`.execute(kysely);
    await forgetHash(kysely, 'triggers');
    const { migration } = await kysely.transaction().execute(async (transaction) => {
      // The triggers of `conversation` are replaced before those of `audit_entry`: in the other order than here.
      await sql`lock table audit_entry in row exclusive mode`.execute(transaction);
      const migration = update(kysely);
      const waiting = () => sql<{ count: number }>`
        select count(*)::int as count from pg_locks where not granted and relation = 'audit_entry'::regclass`;
      await expect.poll(async () => (await waiting().execute(kysely)).rows[0]?.count).toBe(1);
      await sql`lock table conversation in row exclusive mode`.execute(transaction);
      return { migration };
    });
    await migration;
    expect(await dumpCatalogue(kysely)).toEqual(before);
  });

  test('an installation that ended before its first table begins anew', async () => {
    const url = await createBareDatabase();
    const first = await openDatabase({ DATA_DIR: '', DATABASE_URL: url }, log);
    await sql`drop schema public cascade`.execute(first.kysely);
    await sql`create schema public`.execute(first.kysely);
    await sql`create table kysely_migration (name varchar(255) primary key, timestamp varchar(255))`.execute(
      first.kysely,
    );
    await sql`create table kysely_migration_lock (id varchar(255) primary key)`.execute(first.kysely);
    await update(first.kysely);
    const { kysely } = await openUnusedDatabase('postgres');
    expect(await dumpCatalogue(first.kysely)).toEqual(await dumpCatalogue(kysely));
    await first.close();
  });

  test('a server whose transactions are repeatable reads waits for the process that installs', async () => {
    const url = await createBareDatabase();
    const { pathname } = new URL(url);
    const admin = await openDatabase({ DATA_DIR: '', DATABASE_URL: await createBareDatabase() }, log);
    const name = sql.raw(pathname.slice(1));
    await sql`alter database ${name} set default_transaction_isolation to 'repeatable read'`.execute(
      admin.kysely,
    );
    await admin.close();
    const open = () => openDatabase({ DATA_DIR: '', DATABASE_URL: url }, log);
    const databases = await Promise.all([open(), open(), open()]);
    await Promise.all(databases.map((database) => database.close()));
  });
});
