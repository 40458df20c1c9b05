import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { prepareStatement } from '../../../core/storage/prepared-statements.ts';
import { openTestDatabase, testEngines } from '../../helpers/stores/databases/test-databases.ts';

const twice = prepareStatement<{ value: number }>('select value from twice($1)');

const define = (factor: number) =>
  sql.raw(`
    drop function if exists twice(integer);
    create function twice(asked integer, out value integer) language plpgsql as $$
      begin value := ${factor} * asked; end
    $$`);

describe.each(testEngines)('a prepared statement on %s', async (engine) => {
  const { kysely } = await openTestDatabase(engine);

  test('is parsed once per session and runs with different values', async () => {
    await define(2).execute(kysely);
    await kysely.connection().execute(async (session) => {
      const known = async () => {
        const { rows } = await sql<{ statement: string }>`
          select statement from pg_prepared_statements where statement like '%twice($1)'
        `.execute(session);
        return rows.map(({ statement }) => statement);
      };
      expect(await twice(session, [1])).toEqual([{ value: 2 }]);
      expect(await twice(session, [21])).toEqual([{ value: 42 }]);
      expect(await known()).toEqual(['select value from twice($1)']);
    });
  });

  test('keeps working after a newer version replaces the function that it calls', async () => {
    await define(2).execute(kysely);
    await kysely.connection().execute(async (session) => {
      expect(await twice(session, [1])).toEqual([{ value: 2 }]);
      await define(3).execute(session);
      expect(await twice(session, [1])).toEqual([{ value: 3 }]);
    });
  });

  test('fails like any other, and works the next time', async () => {
    await sql.raw('drop function if exists twice(integer)').execute(kysely);
    await kysely.connection().execute(async (session) => {
      await expect(twice(session, [1])).rejects.toMatchObject({ code: '42883' });
      await define(2).execute(session);
      expect(await twice(session, [1])).toEqual([{ value: 2 }]);
    });
  });
});
