import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startDatabaseThread } from '../../../../core/storage/embedded/database-thread.ts';
import { EmbeddedPool } from '../../../../core/storage/embedded/embedded-pool.ts';
import { testDataFolder } from '../../../helpers/stores/databases/test-data-folder.ts';

const thread = await startDatabaseThread(testDataFolder());
const pool = new EmbeddedPool(thread);

beforeAll(async () => {
  await pool.query('create table jotting (id int primary key, text text)');
});
afterAll(() => thread.close());

describe('the embedded pool', () => {
  test("never runs another client's statement inside a transaction", async () => {
    const first = await pool.connect();
    await first.query('begin');
    await first.query("insert into jotting values (1, 'inside')");
    const outside = pool.query('select count(*)::int as notes from jotting');
    await first.query("insert into jotting values (2, 'inside')");
    await first.query('rollback');
    first.release();
    expect((await outside).rows).toEqual([{ notes: 0 }]);
  });

  test('rolls back the open transaction of a released client', async () => {
    const client = await pool.connect();
    await client.query('begin');
    await client.query("insert into jotting values (3, 'forgotten')");
    client.release();
    expect((await pool.query('select * from jotting where id = 3')).rows).toEqual([]);
  });

  test("throws the driver's own error for a failed statement, and runs the next one", async () => {
    await expect(pool.query('select nonsense')).rejects.toMatchObject({ code: '42703' });
    await expect(pool.query('select 1 as one')).resolves.toMatchObject({ rows: [{ one: 1 }] });
  });

  test('gives each concurrent caller its own result or error', async () => {
    const ask = (index: number) =>
      index % 7 === 0
        ? pool.query('select $1::int / 0 as one', [index]).catch((error: unknown) => error)
        : pool.query('select $1::int as one', [index]);
    const answers = await Promise.all(Array.from({ length: 50 }, (_, index) => ask(index)));
    for (const [index, answer] of answers.entries())
      expect(answer).toMatchObject(index % 7 === 0 ? { code: '22012' } : { rows: [{ one: index }] });
  });

  test('continues a transaction after a rollback to a savepoint', async () => {
    const client = await pool.connect();
    await client.query('begin');
    await client.query('savepoint here');
    await client.query("insert into jotting values (4, 'dropped')");
    await client.query('rollback to savepoint here');
    await client.query("insert into jotting values (5, 'kept')");
    await client.query('commit');
    client.release();
    const { rows } = await pool.query('select id from jotting where id in (4, 5)');
    expect(rows).toEqual([{ id: 5 }]);
  });

  test('sends a notification to the clients that listen, whatever others stop listening to', async () => {
    const clients = [await pool.connect(), await pool.connect(), await pool.connect()];
    const [first, second, stranger] = clients;
    const heard: string[] = [];
    for (const [index, client] of clients.entries()) {
      client.on('notification', ({ payload }: { payload: string }) => heard.push(`${index} ${payload}`));
    }
    const notify = (channel: string, payload: string) =>
      pool.query('select pg_notify($1, $2)', [channel, payload]);
    await Promise.all([first?.query('listen news'), second?.query('listen news')]);
    await stranger?.query('listen weather');
    await notify('news', 'both');
    await second?.query('unlisten *');
    await stranger?.query('unlisten news');
    await notify('news', 'one');
    await first?.query('unlisten news');
    await notify('news', 'nobody');
    await notify('weather', 'rain');
    expect(heard).toEqual(['0 both', '1 both', '0 one', '2 rain']);
    for (const client of clients) client.release();
  });

  test.each(['listen news', 'LISTEN news;', '-- Subscribe to a channel.\n-- Of all.\nLISTEN news;\n'])(
    'lets a client listen that sends %j, as the library of the queue does',
    async (statement) => {
      const client = await pool.connect();
      const heard: string[] = [];
      client.on('notification', ({ payload }: { payload: string }) => heard.push(payload));
      await client.query(statement);
      await pool.query("select pg_notify('news', 'job')");
      await client.query(statement.replace(/listen/iu, 'UNLISTEN'));
      await pool.query("select pg_notify('news', 'more')");
      expect(heard).toEqual(['job']);
      client.release();
    },
  );

  test("keeps a client's channel if another transaction is rolled back meanwhile", async () => {
    const [writer, listener] = [await pool.connect(), await pool.connect()];
    await writer.query('begin');
    const listening = listener.query('listen news');
    await writer.query('rollback');
    await listening;
    const heard = new Promise((resolve) => {
      listener.on('notification', ({ payload }: { payload: string }) => resolve(payload));
    });
    await pool.query("select pg_notify('news', 'hello')");
    expect(await heard).toBe('hello');
    for (const client of [writer, listener]) client.release();
  });

  test('returns values as the pg driver does', async () => {
    const { rows } = await pool.query(
      "select 9007199254740993::int8 as big, 1.5::numeric as exact, '{\"a\":[1]}'::jsonb as json, '{a,b}'::text[] as list, to_timestamp(0) as time",
    );
    expect(rows).toEqual([
      { big: '9007199254740993', exact: '1.5', json: { a: [1] }, list: ['a', 'b'], time: new Date(0) },
    ]);
  });

  test('flushes every commit to the disk', async () => {
    const { rows } = await pool.query(
      "select current_setting('fsync') as fsync, current_setting('synchronous_commit') as commit, current_setting('wal_sync_method') as method",
    );
    expect(rows).toEqual([{ fsync: 'on', commit: 'on', method: 'fsync' }]);
  });
});
