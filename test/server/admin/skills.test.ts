import { beforeEach, describe, expect, test } from 'vitest';
import { openWebhookReceiver, verifiedMessage } from '../../helpers/servers/network/webhook-receiver.ts';
import { openTestServer } from '../../helpers/servers/open-test-server.ts';

const receiver = await openWebhookReceiver();
const { app, operate, makeWorkspace } = await openTestServer();
const open = await openTestServer({ runtime: { environment: { ALLOW_PRIVATE_WEBHOOKS: 'true' } } });
const { id } = await makeWorkspace();
const skills = `/workspaces/${id}/skills`;
const parameters = {
  type: 'object',
  properties: { order_id: { type: 'string', description: 'The number on the confirmation' } },
  required: ['order_id'],
};
const fields = {
  name: 'order_status',
  description: 'Looks up where an order is.',
  parameters,
  url: 'https://skills.example/order-status',
};
let count = 0;

const codeOf = async (...call: Parameters<typeof operate>) => {
  const response = await operate(...call);
  return [response.statusCode, response.json().code];
};
const add = async (path = skills) => {
  count += 1;
  return (await operate('POST', path, { ...fields, name: `skill_${count}` })).json();
};
/** A separate workspace, so that none reaches the limit of skills. */
const fresh = async () => `/workspaces/${(await makeWorkspace()).id}/skills`;

const shape = {
  id: expect.stringMatching(/^skill_\w+$/),
  workspace_id: expect.stringMatching(/^ws_/),
  ...fields,
  timeout_seconds: 10,
  runs_for: 'everyone',
  enabled: true,
  created_at: expect.any(String),
};

describe('POST …/skills', () => {
  test('201: shows the secret only once', async () => {
    const path = await fresh();
    const response = await operate('POST', path, fields);
    const { secret, ...rest } = response.json();
    expect([response.statusCode, rest]).toEqual([201, shape]);
    expect(Buffer.from(secret.replace('whsec_', ''), 'base64')).toHaveLength(24);
    expect((await operate('GET', `${path}/${rest.id}`)).body).not.toContain(secret);
  });

  test('201: accepts a disabled skill for verified visitors with its own timeout', async () => {
    const own = { ...fields, timeout_seconds: 20, runs_for: 'verified', enabled: false };
    const response = await operate('POST', await fresh(), own);
    expect([response.statusCode, response.json()]).toMatchObject([201, own]);
  });

  test.each(['name', 'description', 'parameters', 'url'])('400: %s is required', async (field) => {
    const answer = await codeOf('POST', skills, { ...fields, [field]: undefined });
    expect(answer).toEqual([400, 'missing_field']);
  });

  test('401: requires the operator token', async () => {
    const url = `/admin/v1${skills}`;
    expect((await app.inject({ method: 'POST', url, payload: fields })).statusCode).toBe(401);
  });

  test('404: rejects an unknown workspace', async () => {
    expect(await codeOf('POST', '/workspaces/ws_none/skills', fields)).toEqual([404, 'workspace_not_found']);
  });

  test('409: rejects a name in use and one skill too many', async () => {
    const path = await fresh();
    await operate('POST', path, fields);
    expect(await codeOf('POST', path, fields)).toEqual([409, 'skill_name_taken']);
    for (let more = 1; more < 20; more += 1) await add(path);
    expect(await codeOf('POST', path, { ...fields, name: 'more' })).toEqual([409, 'too_many_skills']);
  });

  test.each([
    ['name', ['Order', '1st', 'a-b', '', 'a'.repeat(65), 'knowledge_search', 'collect_lead', 5]],
    ['description', ['', '  ', 'a'.repeat(1_001), null]],
    ['parameters', [{}, [], 'object', { type: 'object', requird: [] }]],
    ['url', ['http://skills.example/', 'ftp://skills.example/', 'https://me:secret@skills.example/', 5]],
    ['timeout_seconds', [0, 21, 1.5, '10']],
    ['runs_for', ['nobody']],
    ['enabled', ['yes']],
  ])('422: reports an invalid %s with its own code', async (field, values) => {
    for (const value of values) {
      const answer = await codeOf('POST', skills, { ...fields, [field]: value });
      expect(answer, JSON.stringify(value)).toEqual([422, `invalid_${field}`]);
    }
  });

  test('422: says what is wrong with a schema or a name', async () => {
    const wrong = { ...fields, parameters: { type: 'object', requird: [] } };
    expect((await operate('POST', skills, wrong)).json().detail).toBe(
      'parameters: unknown keyword: "requird".',
    );
    const taken = { ...fields, name: 'escalate_to_human' };
    expect((await operate('POST', skills, taken)).json().detail).toContain('is a built-in skill');
  });
});

describe('GET …/skills', () => {
  test('200: returns only the skills of this workspace, newest first, in pages', async () => {
    const path = await fresh();
    const [first, second] = [await add(path), await add(path)];
    const page = (await operate('GET', `${path}?limit=1`)).json();
    expect(page).toMatchObject({ skills: [{ id: second.id }], pagination: { has_more: true } });
    const next = (await operate('GET', `${path}?limit=1&cursor=${page.pagination.next_cursor}`)).json();
    expect(next).toMatchObject({ skills: [{ id: first.id }], pagination: { has_more: false } });
    expect((await operate('GET', `${path}/${first.id}`)).json()).toEqual(next.skills[0]);
    expect(await codeOf('GET', `${skills}?cursor=${page.pagination.next_cursor}`)).toEqual([
      422,
      'invalid_cursor',
    ]);
  });
});

describe('PATCH …/skills/{skill_id}', () => {
  test('200: changes the given fields and keeps the name', async () => {
    const path = await fresh();
    const { secret, ...skill } = await add(path);
    const change = { description: 'Other.', timeout_seconds: 3, runs_for: 'verified', enabled: false };
    const response = await operate('PATCH', `${path}/${skill.id}`, { ...change, name: 'other' });
    expect([response.statusCode, response.json()]).toEqual([200, { ...skill, ...change }]);
    expect(response.body).not.toContain(secret);
  });

  test('400, 422: rejects an empty change and invalid fields', async () => {
    const path = await fresh();
    const one = `${path}/${(await add(path)).id}`;
    expect(await codeOf('PATCH', one, {})).toEqual([400, 'missing_field']);
    expect(await codeOf('PATCH', one, { name: 'other' })).toEqual([400, 'missing_field']);
    expect(await codeOf('PATCH', one, { url: 'http://skills.example/' })).toEqual([422, 'invalid_url']);
    expect(await codeOf('PATCH', one, { parameters: {} })).toEqual([422, 'invalid_parameters']);
    expect(await codeOf('PATCH', one, { timeout_seconds: 0 })).toEqual([422, 'invalid_timeout_seconds']);
  });
});

test('DELETE …/skills/{skill_id}: 204, and frees its name', async () => {
  const path = await fresh();
  const { id: skill } = (await operate('POST', path, fields)).json();
  const response = await operate('DELETE', `${path}/${skill}`);
  expect([response.statusCode, response.body]).toEqual([204, '']);
  expect((await operate('POST', path, fields)).statusCode).toBe(201);
});

describe('POST …/skills/{skill_id}/test', async () => {
  const workspace = await open.makeWorkspace();
  const path = `/workspaces/${workspace.id}/skills`;
  const made = await open.operate('POST', path, { ...fields, url: receiver.url, runs_for: 'verified' });
  const { id: skill, secret } = made.json();
  const trial = async (body: object) => (await open.operate('POST', `${path}/${skill}/test`, body)).json();
  beforeEach(() => {
    receiver.answer = (response) =>
      void response.writeHead(200, { 'content-type': 'application/json' }).end('{"say": "Here."}');
  });

  test('200: returns the reply for a visitor and the duration', async () => {
    const tried = await trial({ arguments: { order_id: 'A-1' }, user_id: 'customer-7' });
    expect(tried).toEqual({
      says: 'Here.',
      finding: null,
      status: 200,
      error: null,
      duration_ms: expect.any(Number),
    });
    const message = receiver.received.at(-1);
    if (message === undefined) throw new TypeError('nothing arrived');
    expect(verifiedMessage(secret, message).data).toEqual({
      skill: 'order_status',
      arguments: { order_id: 'A-1' },
      workspace_id: workspace.id,
      conversation_id: null,
      channel: 'test',
      language: 'en',
      user: { id: 'customer-7' },
    });
  });

  test('200: reports missing arguments, missing permission and failures', async () => {
    const user_id = 'customer-7';
    const calls = receiver.received.length;
    expect(await trial({ arguments: {}, user_id })).toMatchObject({
      finding: expect.stringContaining('order_id (The number on the confirmation)'),
      status: null,
    });
    expect(await trial({ arguments: { order_id: 'A-1' } })).toMatchObject({
      finding: expect.stringContaining('signed in'),
    });
    expect(receiver.received).toHaveLength(calls);
    receiver.answer = (response) => void response.writeHead(500).end();
    expect(await trial({ arguments: { order_id: 'A-1' }, user_id })).toMatchObject({
      says: expect.stringContaining('I could not do that'),
      status: 500,
      error: "The skill's server returned an unusable response (status 500).",
    });
    receiver.answer = (response) => void response.writeHead(302, { location: '/' }).end();
    expect(await trial({ arguments: { order_id: 'A-1' }, user_id })).toMatchObject({
      status: null,
      error: "The skill's server responded with a redirect. Redirects are not followed.",
    });
  });

  test('400, 422: rejects missing or invalid arguments', async () => {
    const url = `${skills}/${(await add()).id}/test`;
    expect(await codeOf('POST', url, {})).toEqual([400, 'missing_field']);
    expect(await codeOf('POST', url, { arguments: ['A-1'] })).toEqual([422, 'invalid_arguments']);
    const nobody = { arguments: {}, user_id: '' };
    expect(await codeOf('POST', url, nobody)).toEqual([422, 'invalid_user_id']);
  });
});

test('404: rejects a skill that is unknown, deleted, or of another workspace', async () => {
  const { id: foreign } = await add(await fresh());
  const { id: deleted } = await add();
  await operate('DELETE', `${skills}/${deleted}`);
  for (const skill of [foreign, deleted, 'skill_none', '%00']) {
    const calls = [
      codeOf('GET', `${skills}/${skill}`),
      codeOf('PATCH', `${skills}/${skill}`, { enabled: true }),
      codeOf('DELETE', `${skills}/${skill}`),
      codeOf('POST', `${skills}/${skill}/test`, { arguments: {} }),
    ];
    expect(await Promise.all(calls), skill).toEqual(calls.map(() => [404, 'skill_not_found']));
  }
});
