import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { describe, expect, onTestFinished, test } from 'vitest';
import { newId } from '../../../core/base/ids.ts';
import { storeMessage } from '../../../core/conversations/messages/store-message.ts';
import type { Runtime } from '../../../core/runtime/runtime.ts';
import { hearWorkspace } from '../../helpers/servers/hear-workspace.ts';
import { openTestServer } from '../../helpers/servers/open-test-server.ts';
import { cookiesOf, signedInBy, signInPerson } from '../../helpers/servers/sign-in-person.ts';
import { createDatabase, testEngines } from '../../helpers/stores/databases/test-databases.ts';

/** Stores a conversation with a question, as the API does. */
async function converse({ database }: Runtime, workspaceId: string): Promise<string> {
  const id = newId('conv');
  const now = new Date();
  await database.kysely
    .insertInto('conversation')
    .values({
      id,
      workspace_id: workspaceId,
      channel: 'api',
      session_id: null,
      started_at: now,
      last_message_at: now,
      resolved_at: null,
      customer_email: null,
      customer_name: null,
      customer_phone: null,
      customer_user_id: null,
      snooze_until: null,
      unanswered_since: null,
      handover_since: null,
      sla_told: null,
      summary: null,
    })
    .execute();
  return id;
}

function write({ database }: Runtime, workspaceId: string, conversationId: string) {
  return database.kysely.transaction().execute((transaction) =>
    storeMessage(transaction, {
      workspaceId,
      conversationId,
      role: 'user',
      content: 'A secret of the visitor.',
      metadata: null,
      author: null,
      now: new Date(),
    }),
  );
}

describe.each(testEngines)('the stream of a workspace’s events on %s', async (engine) => {
  const environment =
    engine === 'embedded'
      ? {}
      : { DATABASE_URL: await createDatabase(), ENCRYPTION_KEY: randomBytes(32).toString('hex') };
  const server = await openTestServer({ runtime: { environment } });
  const { runtime } = server;
  const address = await server.app.listen({ host: '127.0.0.1', port: 0 });
  const workspace = await server.makeWorkspace();
  let people = 0;

  async function arrive(role: 'owner' | 'agent' | 'viewer' | 'operator', ownerId = workspace.owner) {
    people += 1;
    return signInPerson(server, { email: `${role}${people}@shop.example`, role, ownerId });
  }

  async function hear(caller: Parameters<typeof hearWorkspace>[0]['caller'], workspaceId = workspace.id) {
    const stream = await hearWorkspace({ address, workspaceId, caller });
    onTestFinished(stream.close);
    if (stream.status === 200) await stream.until(({ event }) => event === 'hello');
    return stream;
  }

  test('begins with a greeting, and tells agents of a message without its contents', async () => {
    const agent = await arrive('agent');
    const stream = await hear(agent);
    expect(stream.frames[0]).toMatchObject({ event: 'hello', version: null });
    const id = await converse(runtime, workspace.id);
    await write(runtime, workspace.id, id);
    await stream.until(
      (frame) => frame.event === 'conversation' && frame.id === id && frame.change === 'message',
    );
    await stream.until(({ event }) => event === 'counts');
    expect(JSON.stringify(stream.frames)).not.toContain('secret');
  });

  test('tells of statuses, tags and notes', async () => {
    const stream = await hear(runtime.installation.adminToken);
    const id = await converse(runtime, workspace.id);
    const user = { ownerId: workspace.owner, name: 'Ann' };
    const changed = (change: string) =>
      stream.until((frame) => frame.id === id && frame.change === change).then(() => change);
    await runtime.inbox.change(user, id, { status: 'resolved' });
    await changed('status');
    await runtime.inbox.change(user, id, { tags: ['pots'] });
    await changed('tags');
    await runtime.inbox.addNote(user, id, { content: 'Call back.' });
    expect(await changed('other')).toBe('other');
  });

  test('tells of documents, channels and settings to those who may read them', async () => {
    const [owner, viewer] = [await hear(await arrive('owner')), await hear(await arrive('viewer'))];
    const key = await server.operate('POST', `/workspaces/${workspace.id}/keys`, { name: 'Till' });
    expect(key.statusCode).toBe(201);
    const { id } = await server.addDocument(workspace.id, 'Clay dries for two days.');
    await owner.until((frame) => frame.event === 'setting' && frame.change === 'key_created');
    for (const { until } of [owner, viewer]) {
      await until((frame) => frame.event === 'document' && frame.id === id && frame.change === 'indexed');
    }
    expect(viewer.frames.filter(({ event }) => event === 'setting')).toEqual([]);
  });

  test('tells an operator without a role in the workspace nothing of its conversations', async () => {
    const other = await server.makeWorkspace();
    const operator = await hear(await arrive('operator', other.owner));
    const agent = await hear(await arrive('agent'));
    const id = await converse(runtime, workspace.id);
    await agent.until((frame) => frame.id === id);
    await server.operate('PATCH', `/workspaces/${workspace.id}`, { name: 'Renamed' });
    await operator.until(({ event }) => event === 'setting');
    expect(operator.frames.map(({ event }) => event)).not.toContain('conversation');
  });

  test('tells nothing of other workspaces', async () => {
    const other = await server.makeWorkspace();
    const stream = await hear(runtime.installation.adminToken);
    await converse(runtime, other.id);
    const id = await converse(runtime, workspace.id);
    await stream.until((frame) => frame.id === id);
    expect(stream.frames.filter(({ event }) => event === 'conversation').map((frame) => frame.id)).toEqual([
      id,
    ]);
    const stranger = await arrive('agent', other.owner);
    expect((await hear(stranger)).status).toBe(404);
  });

  test('ends when the person signs out', async () => {
    const agent = await arrive('agent');
    const stream = await hear(agent);
    await agent.call('POST', '/dashboard/auth/sign-out', {});
    await stream.until(({ event }) => event === 'signed_out');
    await stream.ended;
  });

  test('ends when the role is taken away, and follows a changed one', async () => {
    const agent = await arrive('agent');
    const me = await agent.call('GET', '/admin/v1/me');
    const personId = me.json().person.id;
    const stream = await hear(agent);
    await sql`update membership set role = 'viewer' where person_id = ${personId}`.execute(
      runtime.database.kysely,
    );
    const id = await converse(runtime, workspace.id);
    await stream.until((frame) => frame.id === id);
    await server.operate('DELETE', `/workspaces/${workspace.id}/members/${personId}`);
    await stream.until(({ event }) => event === 'signed_out');
    await stream.ended;
  });

  test('ends when the owner begins to require the sign-in of its provider', async () => {
    const own = await server.makeWorkspace();
    const [agent, owner] = [await arrive('agent', own.owner), await arrive('owner', own.owner)];
    const streams = [await hear(agent, own.id), await hear(owner, own.id)];
    const provider = {
      id: newId('per'),
      owner_id: own.owner,
      name: 'Acme',
      issuer: 'https://id.acme.example',
      client_id: 'parley',
      client_secret_encrypted: '',
      domains: ['acme.example'],
      default_role: 'agent',
      enabled: true,
      required: true,
      created_at: new Date(),
      updated_at: new Date(),
    };
    const database = runtime.database.kysely;
    await database.insertInto('sign_in_provider').values(provider).execute();
    // Streams look twice a minute, and when they are told of an access that changed.
    await sql`update membership set role = role where owner_id = ${own.owner}`.execute(database);
    for (const stream of streams) {
      await stream.until(({ event }) => event === 'signed_out');
      await stream.ended;
    }
  });

  test('is no operator’s for a session of a provider', async () => {
    const elsewhere = await server.makeWorkspace();
    await arrive('operator');
    const person = await runtime.members.findByEmail(`operator${people}@shop.example`);
    const started = { personId: person?.id ?? '', ownerId: workspace.owner };
    const headers = new Headers({ host: 'parley.example', 'x-client-address': '127.0.0.1' });
    const cookie = cookiesOf([...(await runtime.signIn.startProviderSession(headers, started))]);
    const session = await signedInBy(server.app, cookie);
    expect((await hear(session, elsewhere.id)).status).toBe(404);
    const stream = await hear(session);
    await sql`delete from membership where person_id = ${person?.id}`.execute(runtime.database.kysely);
    await stream.until(({ event }) => event === 'signed_out');
  });

  test('is refused to a person who has ten open', async () => {
    const agent = await arrive('agent');
    const streams = await Promise.all(Array.from({ length: 10 }, () => hear(agent)));
    expect(streams.map(({ status }) => status)).toEqual(Array(10).fill(200));
    expect((await hear(agent)).status).toBe(429);
    expect((await hear(await arrive('agent'))).status).toBe(200);
  });

  test('shows who else has a conversation open, until they leave', async () => {
    const [ann, ben] = [await arrive('agent'), await arrive('agent')];
    const id = await converse(runtime, workspace.id);
    const path = `/admin/v1/workspaces/${workspace.id}/conversations/${id}/presence`;
    const stream = await hear(ann);
    expect((await ben.call('PUT', path, { doing: 'viewing' })).statusCode).toBe(204);
    const doing = (wanted: string) =>
      stream.until(({ event, people }) => event === 'presence' && JSON.stringify(people).includes(wanted));
    await doing('viewing');
    await ben.call('PUT', path, { doing: 'writing' });
    const { people: present } = await doing('writing');
    expect(present).toEqual([
      expect.objectContaining({ name: expect.stringMatching(/^agent/), doing: 'writing' }),
    ]);
    const late = await hear(await arrive('viewer'));
    await late.until(({ event }) => event === 'presence');
    await ben.call('PUT', path, { doing: 'left' });
    await stream.until(({ event, people }) => event === 'presence' && JSON.stringify(people) === '[]');
  });

  test('lets a viewer look, and not claim to write', async () => {
    const viewer = await arrive('viewer');
    const id = await converse(runtime, workspace.id);
    const path = `/admin/v1/workspaces/${workspace.id}/conversations/${id}/presence`;
    expect((await viewer.call('PUT', path, { doing: 'viewing' })).statusCode).toBe(204);
    expect((await viewer.call('PUT', path, { doing: 'writing' })).statusCode).toBe(403);
    const unknown = `/admin/v1/workspaces/${workspace.id}/conversations/conv_unknown/presence`;
    expect((await viewer.call('PUT', unknown, { doing: 'viewing' })).statusCode).toBe(404);
  });

  test.skipIf(engine === 'embedded')(
    'is told by every server of one database, presence included',
    async () => {
      const second = await openTestServer({ runtime: { environment } });
      const elsewhere = await second.app.listen({ host: '127.0.0.1', port: 0 });
      const { adminToken } = runtime.installation;
      const streams = [
        await hear(adminToken),
        await hearWorkspace({ address: elsewhere, workspaceId: workspace.id, caller: adminToken }),
      ];
      onTestFinished(() => streams[1]?.close());
      for (const { until } of streams) await until(({ event }) => event === 'hello');
      const id = await converse(second.runtime, workspace.id);
      const ben = await arrive('agent');
      await ben.call('PUT', `/admin/v1/workspaces/${workspace.id}/conversations/${id}/presence`, {
        doing: 'viewing',
      });
      for (const { until } of streams) {
        await until((frame) => frame.event === 'conversation' && frame.id === id);
        await until((frame) => frame.event === 'presence' && frame.id === id);
      }
    },
  );

  test('makes the database notify only of workspaces that somebody watches', async () => {
    const [quiet, watched] = [await server.makeWorkspace(), await server.makeWorkspace()];
    await hear(runtime.installation.adminToken, watched.id);
    const { rows } = await sql<{ workspace_id: string }>`select workspace_id from agent_listener`.execute(
      runtime.database.kysely,
    );
    const announced = rows.map((row) => row.workspace_id);
    expect(announced).toContain(watched.id);
    expect(announced).not.toContain(quiet.id);
  });
});
