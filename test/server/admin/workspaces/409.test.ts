import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { openTestServer } from '../../../helpers/servers/open-test-server.ts';

const at = new Date('2026-03-31T23:59:59Z');
const time = { now: at };
const { operate, makeWorkspace, runtime } = await openTestServer({
  runtime: { clock: { now: () => time.now } },
});

async function workspaceThatUsed(messages: number) {
  const workspace = await makeWorkspace({ plan: 'growth' });
  await sql`insert into owner_usage values (${workspace.owner}, '2026-03-01', ${messages})`.execute(
    runtime.database.kysely,
  );
  return workspace;
}
const changePlan = async (id: string, plan: string) => {
  const response = await operate('PATCH', `/workspaces/${id}`, { plan, name: 'Changed' });
  return [response.statusCode, response.json().code ?? response.json().plan];
};

test("does not lower a plan below the owner's usage of this month, and changes nothing", async () => {
  const { id, owner } = await workspaceThatUsed(2_001);
  const response = await operate('PATCH', `/workspaces/${id}`, { plan: 'starter', name: 'Changed' });
  expect([response.statusCode, response.json()]).toEqual([
    409,
    {
      code: 'plan_downgrade_blocked',
      detail: expect.stringContaining('2001'),
      request_id: response.headers['x-request-id'],
    },
  ]);
  expect(await runtime.workspaces.get(id)).toMatchObject({ owner, name: 'Test', plan: 'growth' });
});

test("counts the usage of the owner's other workspaces", async () => {
  const { owner } = await workspaceThatUsed(2_001);
  const sibling = await makeWorkspace({ owner, plan: 'growth' });
  expect(await changePlan(sibling.id, 'free')).toEqual([409, 'plan_downgrade_blocked']);
});

test('lowers a plan if the usage fits, raises it at any time, and lowers it in the next month', async () => {
  expect(await changePlan((await workspaceThatUsed(2_000)).id, 'starter')).toEqual([200, 'starter']);
  const { id } = await workspaceThatUsed(2_001);
  expect(await changePlan(id, 'growth')).toEqual([200, 'growth']);
  expect(await changePlan(id, 'enterprise')).toEqual([200, 'enterprise']);
  expect(await changePlan(id, 'growth')).toEqual([200, 'growth']);
  time.now = new Date('2026-04-01T00:00:00Z');
  expect(await changePlan(id, 'starter')).toEqual([200, 'starter']);
  time.now = at;
});
