import { expect, test, vi } from 'vitest';
import { runFailureBatch } from '../../../../core/channels/failures/failure-actions.ts';
import { openPipelineServer } from '../../../helpers/servers/open-pipeline-server.ts';
import { signInPerson } from '../../../helpers/servers/sign-in-person.ts';

const server = await openPipelineServer();
const { runtime, workspace, channel, operate, receive, conversationIn, start } = server;
const { kysely, pool } = runtime.database;
const stores = { ...runtime, database: kysely };
const dayBefore = '2026-01-01T00:00:00.000Z';

async function fail(id: string, reason: string, at = new Date().toISOString()): Promise<void> {
  await pool.query({
    text: `insert into inbound_event (channel_id, workspace_id, event_id, lane, native, received_at, settled_at, failure)
           values ($1, $2, $3, 'failed', '{}', $4, $4, $5)`,
    values: [channel.id, workspace.id, id, at, reason],
  });
}
const failing = async () => {
  const rows = await kysely
    .selectFrom('inbound_event')
    .select('event_id')
    .where('failure', 'is not', null)
    .where('handled_at', 'is', null)
    .orderBy('number')
    .execute();
  return rows.map(({ event_id }) => event_id);
};

test('only operators of the installation may look at it', async () => {
  const owner = await signInPerson(server, {
    email: 'ann@example.com',
    role: 'owner',
    ownerId: workspace.owner,
  });
  const operator = await signInPerson(server, {
    email: 'ops@example.com',
    role: 'operator',
    ownerId: workspace.owner,
  });
  for (const path of [
    '/installation',
    '/installation/workspaces',
    '/installation/message?id=x',
    '/installation/failures?queue=answer',
    '/installation/failure-actions',
  ]) {
    expect((await owner.call('GET', `/admin/v1${path}`)).statusCode, path).toBe(403);
    expect((await operator.call('GET', `/admin/v1${path}`)).statusCode, path).not.toBe(403);
  }
  const body = { kind: 'drop', queue: 'answer', filter: { reason: 'none' } };
  expect((await owner.call('POST', '/admin/v1/installation/failure-actions', body)).statusCode).toBe(403);
  expect((await owner.call('POST', '/admin/v1/installation/copies')).statusCode).toBe(403);
});

test('an overview says what every part promises, who runs it, and what the installation lacks', async () => {
  await runtime.processes.addRole('server');
  const seen = (await operate('GET', '/installation')).json();
  expect(seen.parts).toContainEqual(
    expect.objectContaining({
      part: 'answer',
      worker: true,
      state: 'starting',
      advice: expect.stringContaining('npm start'),
    }),
  );
  expect(seen.processes).toEqual([expect.objectContaining({ roles: ['server'], version: seen.version })]);
  const needs = seen.needs.map(({ need, state }: { need: string; state: string }) => [need, state]);
  expect(Object.fromEntries(needs)).toEqual({
    address: 'lacking',
    https: 'lacking',
    mail: 'lacking',
    model: 'lacking',
    token: 'weak',
    backup: 'lacking',
  });
  expect(seen.secrets).toContainEqual(
    expect.objectContaining({ secret: 'encryption_key', since: expect.any(String) }),
  );
});

test('workspaces of all owners are found by name and by owner, with what they use', async () => {
  for (const name of ['North_Pole', 'North Sea', 'South']) await runtime.workspaces.create({ name });
  const names = async (query: string) =>
    (await operate('GET', `/installation/workspaces?${query}`))
      .json()
      .workspaces.map((each: { name: string }) => each.name);
  expect(await names('search=north')).toEqual(['North Sea', 'North_Pole']);
  expect(await names('search=h_p')).toEqual(['North_Pole']);
  expect(await names(`search=${workspace.owner}`)).toEqual(['Test']);
  const { pagination } = (await operate('GET', '/installation/workspaces?limit=2')).json();
  const next = `limit=2&cursor=${pagination.next_cursor}`;
  expect(await names(next)).toEqual(['North_Pole', 'Test']);
  const [first] = (await operate('GET', `/installation/workspaces?search=${workspace.id}`)).json().workspaces;
  expect(first).toMatchObject({ channels: 1, documents: 0, owner_messages: 0, owner_limit: 2_000 });
});

test('failures are grouped by reason, and an action takes what the filter showed and nothing later', async () => {
  await fail('old', 'Token expired.', dayBefore);
  for (let each = 0; each < 201; each += 1) await fail(`token-${each}`, 'Token expired.');
  await fail('model', 'No model.');
  const groups = async (filter = '') =>
    (await operate('GET', `/installation/failures?queue=answer${filter}`)).json().groups;
  expect(await groups()).toMatchObject([
    { reason: 'Token expired.', count: 202, retriable: 202, channels: 1, oldest_at: dayBefore },
    { reason: 'No model.', count: 1 },
  ]);
  const since = '2026-02-01T00:00:00Z';
  expect(await groups(`&from=${since}`)).toMatchObject([{ count: 201 }, { count: 1 }]);

  const filter = { reason: 'Token expired.', from: since };
  const started = await operate('POST', '/installation/failure-actions', {
    kind: 'drop',
    queue: 'answer',
    filter,
  });
  expect([started.statusCode, started.json()]).toMatchObject([
    202,
    { state: 'running', total: 201, done: 0 },
  ]);
  await fail('later', 'Token expired.');
  const { id } = started.json();
  expect(await runFailureBatch(stores, id)).toBe(true);
  const actions = async () => (await operate('GET', '/installation/failure-actions')).json().actions;
  expect(await actions()).toMatchObject([{ id, done: 200, started_by: 'operator', state: 'running' }]);
  expect(await runFailureBatch(stores, id)).toBe(false);
  expect(await actions()).toMatchObject([{ done: 201, state: 'finished' }]);
  expect(await failing()).toEqual(['old', 'model', 'later']);

  const retried = await operate('POST', '/installation/failure-actions', {
    kind: 'retry',
    queue: 'answer',
    filter: { reason: 'No model.' },
  });
  await runFailureBatch(stores, retried.json().id);
  expect(await failing()).toEqual(['old', 'later']);
});

test('an action that was stopped does nothing more, and one that finds nothing is finished', async () => {
  const all = { kind: 'drop', queue: 'answer', filter: {} };
  const { id } = (await operate('POST', '/installation/failure-actions', all)).json();
  const stopped = await operate('POST', `/installation/failure-actions/${id}/stop`);
  expect(stopped.json()).toMatchObject({ state: 'stopped', done: 0 });
  expect(await runFailureBatch(stores, id)).toBe(false);
  expect(await failing()).toHaveLength(2);
  const none = { kind: 'retry', queue: 'deliver', filter: {} };
  expect((await operate('POST', '/installation/failure-actions', none)).json()).toMatchObject({
    state: 'finished',
    total: 0,
  });
  expect((await operate('POST', '/installation/failure-actions/fail_none/stop')).statusCode).toBe(404);
});

test('the life of a message is found by its id, its event and its id on the platform, without contents', async () => {
  await pool.query(`delete from inbound_event`);
  await start();
  await receive({ id: 'hello', chat: 'c1', text: 'Are there secret words?' });
  const sent = await vi.waitFor(
    () =>
      kysely.selectFrom('outbound_part').selectAll().where('status', '=', 'sent').executeTakeFirstOrThrow(),
    { timeout: 30_000, interval: 50 },
  );
  const conversation = await conversationIn('c1');
  const expected = {
    workspace_id: workspace.id,
    conversation_id: conversation,
    events: [{ event_id: 'hello', handled_at: expect.any(String), failure: null }],
    message: { id: sent.message_id, role: 'assistant' },
    parts: expect.arrayContaining([
      expect.objectContaining({
        part: sent.part,
        status: 'sent',
        platform_message_id: sent.platform_message_id,
      }),
    ]),
  };
  const asked = await kysely
    .selectFrom('message')
    .select('id')
    .where('role', '=', 'user')
    .executeTakeFirstOrThrow();
  for (const id of [sent.message_id, 'hello', sent.platform_message_id ?? '', asked.id]) {
    const life = await operate('GET', `/installation/message?id=${encodeURIComponent(id)}`);
    expect(life.json(), id).toMatchObject(expected);
    expect(life.body).not.toContain('secret words');
  }
  expect((await operate('GET', '/installation/message?id=nothing')).statusCode).toBe(404);
});
