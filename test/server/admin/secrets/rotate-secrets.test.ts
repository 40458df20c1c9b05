import { describe, expect, test } from 'vitest';
import { openTestServer } from '../../../helpers/servers/open-test-server.ts';

const { operate, query, makeWorkspace, runtime } = await openTestServer();
const { id } = await makeWorkspace();
const below = `/workspaces/${id}`;
const made = async (path: string, body: object) => (await operate('POST', `${below}${path}`, body)).json();
const hook = await made('/webhooks', { url: 'https://hooks.example/', events: ['message.created'] });
const skill = await made('/skills', {
  name: 'order_status',
  description: 'Looks up orders.',
  parameters: { type: 'object' },
  url: 'https://skills.example/',
});
const key = await made('/keys', { name: 'Website', rate_limit_minute: 100 });

const rotations = [
  ['/identity_secret/rotate', 'identity_secret', /^ids_/],
  ['/public_token/rotate', 'public_token', /^pub_/],
  [`/webhooks/${hook.id}/rotate`, 'secret', /^whsec_/],
  [`/skills/${skill.id}/rotate`, 'secret', /^whsec_/],
  [`/keys/${key.id}/rotate`, 'key', /^pk_/],
] as const;

describe.each(rotations)('POST …%s', (path, field, form) => {
  const rotate = (body?: object) => operate('POST', `${below}${path}`, body);

  test('200: returns a new value and keeps the old one valid for a day', async () => {
    const before = Date.now();
    const response = await rotate();
    const answer = response.json();
    expect(response.statusCode).toBe(200);
    expect(answer[field]).toMatch(form);
    const seconds = (Date.parse(answer.previous_valid_until) - before) / 1_000;
    expect(Math.round(seconds)).toBeGreaterThanOrEqual(86_400);
    expect(seconds).toBeLessThan(86_430);
    expect((await rotate({})).json()[field]).not.toBe(answer[field]);
  });

  test.each([0, 1, 604_800])('200: accepts %d as grace_seconds', async (grace_seconds) => {
    const before = Date.now();
    const answer = (await rotate({ grace_seconds })).json();
    const seconds = (Date.parse(answer.previous_valid_until) - before) / 1_000;
    expect(seconds).toBeGreaterThanOrEqual(grace_seconds);
    expect(seconds).toBeLessThan(grace_seconds + 30);
  });

  test.each([-1, 604_801, 1.5, '60', true])('422: rejects %j as grace_seconds', async (grace_seconds) => {
    const response = await rotate({ grace_seconds });
    expect([response.statusCode, response.json()]).toEqual([
      422,
      expect.objectContaining({
        code: 'invalid_grace_seconds',
        detail: expect.stringContaining('grace_seconds must be an integer from 0 to 604,800'),
      }),
    ]);
  });

  test('404 in another workspace', async () => {
    const other = await makeWorkspace();
    const elsewhere = path.replace(/^(\/identity_secret|\/public_token)/, '/nowhere$1');
    const response = await operate('POST', `/workspaces/${other.id}${elsewhere}`);
    expect(response.statusCode).toBe(404);
  });
});

test('a rotated key shows when its old value expires, and both values open the API', async () => {
  const fresh = await made('/keys', { name: 'Both' });
  const rotated = (await operate('POST', `${below}/keys/${fresh.id}/rotate`, { grace_seconds: 600 })).json();
  for (const value of [fresh.key, rotated.key]) {
    expect((await query(value, { query: 'Where is my order?' })).statusCode).toBe(200);
  }
  const { keys } = (await operate('GET', `${below}/keys?limit=100`)).json();
  const shown = keys.find((one: { id: string }) => one.id === fresh.id);
  expect(shown).toMatchObject({
    name: 'Both',
    ending: rotated.key.slice(-4),
    previous_valid_until: rotated.previous_valid_until,
  });
  expect(JSON.stringify(keys)).not.toContain(rotated.key);
});

test('a rotation is logged without the value', async () => {
  const lines: string[] = [];
  const { info } = runtime.log;
  runtime.log.info = (...told: unknown[]) => void lines.push(JSON.stringify(told));
  try {
    const { secret } = (await operate('POST', `${below}/webhooks/${hook.id}/rotate`)).json();
    const told = lines.filter((line) => line.includes('secret rotated'));
    expect(told).toHaveLength(1);
    expect(told[0]).toContain(hook.id);
    expect(lines.join()).not.toContain(secret);
  } finally {
    runtime.log.info = info;
  }
});

test('the audit log of the workspace records each rotation without the value', async () => {
  const { workspace } = await runtime.workspaces.create({ name: 'Audited' });
  const own = `/workspaces/${workspace.id}`;
  const { key: former, id: keyId } = (await operate('POST', `${own}/keys`, { name: 'Site' })).json();
  const rotated = (await operate('POST', `${own}/keys/${keyId}/rotate`, { grace_seconds: 0 })).json();
  await operate('POST', `${own}/identity_secret/rotate`);
  const log = await operate('GET', `${own}/audit-log`);
  const entry = { action: 'secret_rotated', actor: 'operator' };
  const until = expect.any(String);
  const entries = log
    .json()
    .audit_log.filter(({ action }: { action: string }) => action === 'secret_rotated');
  expect(entries).toMatchObject([
    { ...entry, details: { secret: 'identity_secret', previous_valid_until: until } },
    { ...entry, details: { secret: 'key', id: keyId, previous_valid_until: rotated.previous_valid_until } },
  ]);
  for (const value of [former, rotated.key]) expect(log.body).not.toContain(value);
});
