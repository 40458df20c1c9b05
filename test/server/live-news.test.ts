import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { MovableTime } from '../helpers/movable-time.ts';
import { hearWorkspace } from '../helpers/servers/hear-workspace.ts';
import { openWidgetServer } from '../helpers/servers/open-widget-server.ts';
import { type Frame, readEvents } from '../helpers/servers/questions/read-events.ts';
import { signInPerson } from '../helpers/servers/sign-in-person.ts';
import { createDatabase, testEngines } from '../helpers/stores/databases/test-databases.ts';

describe.each(testEngines)('streams of agents and visitors on %s', async (engine) => {
  const time = new MovableTime();
  const environment =
    engine === 'embedded'
      ? {}
      : { DATABASE_URL: await createDatabase(), ENCRYPTION_KEY: randomBytes(32).toString('hex') };
  const server = await openWidgetServer({
    runtime: { environment, clock: time.clock, wait: time.wait },
    app: { keepAliveMs: 50 },
  });
  const { address, runtime } = server;
  const shop = await server.openShop();
  const agent = await signInPerson(server, { email: 'ada@shop.example', role: 'agent', ownerId: shop.owner });
  const session = await shop.openSession();
  await shop.say(session, 'A person, please', '/human');
  const { id } = await runtime.database.kysely
    .selectFrom('conversation')
    .select('id')
    .where('workspace_id', '=', shop.id)
    .executeTakeFirstOrThrow();

  async function openAgent() {
    const stream = await hearWorkspace({ address, workspaceId: shop.id, caller: agent });
    onTestFinished(stream.close);
    await stream.until(({ event }) => event === 'hello');
    return stream;
  }

  async function openVisitor() {
    const stop = new AbortController();
    onTestFinished(() => stop.abort());
    const { body } = await shop.send('/events', { session, signal: stop.signal });
    const events = readEvents(body ?? expect.unreachable());
    const next = async (wanted: string): Promise<Frame> => {
      for (;;) {
        const { value } = await events.next();
        if (value === undefined) return expect.unreachable();
        if (value.event === wanted) return value;
      }
    };
    await next('state');
    return { next, close: () => stop.abort() };
  }

  /** Only a notification reports it: no poll finds it. */
  const agentWrites = () =>
    agent.call('PUT', `/admin/v1/workspaces/${shop.id}/conversations/${id}/presence`, { doing: 'writing' });
  const visitorWrites = () => shop.send('/typing', { method: 'POST', session });
  /** The server notices asynchronously that a client has left. */
  const isClosed = (channel: string) =>
    vi.waitFor(async () => {
      await time.advance(1_000);
      expect([...runtime.notificationHub.ages().keys()]).not.toContain(channel);
    }, 20_000);

  test('an agent still hears the visitor half a minute after the last visitor has left', async () => {
    const [stream, visitor] = [await openAgent(), await openVisitor()];
    visitor.close();
    await isClosed('visitor_news');
    await visitorWrites();
    await stream.until(({ event }) => event === 'typing');
    stream.close();
  });

  test('a visitor still hears the agent half a minute after the last agent has left', async () => {
    const [stream, visitor] = [await openAgent(), await openVisitor()];
    stream.close();
    await isClosed('agent_news');
    await agentWrites();
    expect(await visitor.next('typing')).toMatchObject({ event: 'typing' });
    visitor.close();
  });

  test.skipIf(engine === 'embedded')(
    'both hear again after the database has ended the connection, and agents read everything again',
    async () => {
      const [stream, visitor] = [await openAgent(), await openVisitor()];
      const greetings = () => stream.frames.filter(({ event }) => event === 'hello').length;
      const before = greetings();
      await sql`
        select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and query like 'listen %' and pid <> pg_backend_pid()
      `.execute(runtime.database.kysely);
      await vi.waitFor(() => expect(runtime.agentNews.ageSeconds()).toBeNull());
      await time.advance(1_000);
      await vi.waitFor(() => expect(greetings()).toBeGreaterThan(before));
      await agentWrites();
      await visitor.next('typing');
      await visitorWrites();
      await stream.until(({ event }) => event === 'typing');
      stream.close();
    },
  );

  test('frames and metrics tell how long ago the server last heard of itself', async () => {
    const [stream, visitor] = [await openAgent(), await openVisitor()];
    expect(stream.frames[0]).toMatchObject({ event: 'hello', news_age_seconds: 0 });
    await time.advance(4_000);
    await stream.until((frame) => frame.event === 'alive' && frame.news_age_seconds === 4);
    expect(await visitor.next('alive')).toMatchObject({ news_age_seconds: expect.any(Number) });
    const { body } = await server.app.inject({
      url: '/metrics',
      headers: { authorization: `Bearer ${runtime.installation.adminToken}` },
    });
    expect(body).toContain('parley_notifications_age_seconds{channel="agent_news"} 4');
    stream.close();
  });
});
