import { sql } from 'kysely';
import { describe, expect, onTestFinished, test } from 'vitest';
import { systemClock, systemWait } from '../../../core/base/clock.ts';
import { createLog } from '../../../core/base/log.ts';
import { storeMessage } from '../../../core/conversations/messages/store-message.ts';
import { NotificationHub } from '../../../core/storage/notifications/notifications.ts';
import { findPage, findWidget } from '../../../core/visitors/find-widget.ts';
import { purgeVisitors } from '../../../core/visitors/purge-visitors.ts';
import { acquireVisitorLock } from '../../../core/visitors/visitor-lock.ts';
import { testEngines } from '../../helpers/stores/databases/test-databases.ts';
import { openTestVisitors } from '../../helpers/stores/open-test-visitors.ts';

const day = 24 * 60 * 60 * 1_000;

describe.each(testEngines)('visitors on %s', async (engine) => {
  const { database, visitors, workspaceId, channelId, arrive, begin } = await openTestVisitors(engine);
  const { kysely } = database;
  const log = createLog('silent');

  async function converse(visitorId: string) {
    const id = await begin(visitorId);
    const reply = () =>
      kysely.transaction().execute((transaction) =>
        storeMessage(transaction, {
          workspaceId,
          conversationId: id,
          role: 'agent',
          content: 'Hello.',
          metadata: null,
          author: 'ada@shop.example',
          now: new Date(),
        }),
      );
    return { id, reply };
  }

  let servers = 0;
  const openServer = () => {
    servers += 1;
    const stores = { database, clock: systemClock, wait: systemWait, log };
    const hub = new NotificationHub({ ...stores, processId: String(servers) });
    onTestFinished(() => hub.close());
    return hub.channel('visitor_news');
  };

  test('notify every server of a reply to them, and of no one else’s', async () => {
    const both = [openServer(), openServer()];
    const [{ visitor }, { visitor: other }] = [await arrive(), await arrive()];
    const { reply } = await converse(visitor.id);
    const told = both.map(() => Promise.withResolvers<void>());
    for (const [index, server] of both.entries())
      await server.listen(visitor.id, () => told[index]?.resolve());
    let disturbed = 0;
    await both[0]?.listen(other.id, () => {
      disturbed += 1;
    });
    await reply();
    await Promise.all(told.map(({ promise }) => promise));
    expect(disturbed).toBe(0);
  });

  test.skipIf(engine === 'embedded')(
    'notify a server again after its database connection was lost',
    async () => {
      const board = openServer();
      const { visitor } = await arrive();
      const { reply } = await converse(visitor.id);
      let heard = Promise.withResolvers<void>();
      await board.listen(visitor.id, () => heard.resolve());
      await sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and query like 'listen %' and pid <> pg_backend_pid()
    `.execute(kysely);
      await heard.promise;
      heard = Promise.withResolvers<void>();
      await reply();
      await heard.promise;
    },
  );

  test('are not found by names that PostgreSQL cannot store', async () => {
    expect([
      await findWidget(kysely, { publicToken: '\0', now: new Date() }),
      await findPage(kysely, '\0\ud800'),
    ]).toEqual([null, null]);
  });

  test('can ask one question at a time, until it is answered or the server’s lock expires', async () => {
    const { visitor } = await arrive();
    const stores = { database, clock: systemClock, log };
    const giveBack = await acquireVisitorLock(stores, visitor);
    await expect(acquireVisitorLock(stores, visitor)).rejects.toMatchObject({
      code: 'rate_limit_concurrent',
    });
    const later = { now: () => new Date(Date.now() + 60_000) };
    const stolen = await acquireVisitorLock({ ...stores, clock: later }, visitor);
    await giveBack();
    await expect(acquireVisitorLock(stores, visitor)).rejects.toMatchObject({
      code: 'rate_limit_concurrent',
    });
    await stolen();
    await (await acquireVisitorLock(stores, visitor))();
  });

  test('are deleted after their sessions expire, but not before their conversations', async () => {
    const [silent, talking] = [await arrive(), await arrive()];
    const { id } = await converse(talking.visitor.id);
    const later = new Date(Date.now() + 91 * day);
    await kysely.transaction().execute((transaction) => purgeVisitors({ transaction, now: later }));
    expect(await visitors.find(channelId, silent.token)).toBeNull();
    const left = () => kysely.selectFrom('visitor').select('id').execute();
    const ids = (await left()).map(({ id: visitor }) => visitor);
    expect(ids).toContain(talking.visitor.id);
    expect(ids).not.toContain(silent.visitor.id);
    await kysely.deleteFrom('conversation').where('id', '=', id).execute();
    await kysely.transaction().execute((transaction) => purgeVisitors({ transaction, now: later }));
    expect((await left()).map(({ id: visitor }) => visitor)).not.toContain(talking.visitor.id);
  });
});
