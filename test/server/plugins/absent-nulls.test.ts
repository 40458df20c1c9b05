import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { withoutAbsentNulls } from '../../../server/plugins/request-input.ts';
import { openTestServer } from '../../helpers/servers/open-test-server.ts';
import { readApi } from '../../helpers/servers/openapi/api-operations.ts';

const { app, query, stream, operate, makeWorkspace, runtime } = await openTestServer();
const workspace = await makeWorkspace();

const optionalFields = [
  ...['workspace_id', 'conversation_id', 'top_k', 'temperature', 'strictness', 'audience', 'document_ids'],
  ...['session_id', 'user', 'verification_token', 'metadata'],
];

const v1 = (method: 'POST' | 'PATCH', path: string, payload: object) =>
  app.inject({ method, url: `/v1${path}`, headers: { authorization: `Bearer ${workspace.key}` }, payload });

describe('a null in an optional field of a query', () => {
  test.each(optionalFields)('is the same as a missing %s', async (field) => {
    const response = await query(workspace.key, { query: 'When are you open?', [field]: null });
    expect(response.statusCode, response.body).toBe(200);
  });

  test('is the same as a missing field in a streamed query, for all fields at once', async () => {
    const nulls = Object.fromEntries(optionalFields.map((field) => [field, null]));
    const response = await stream(workspace.key, { query: 'When are you open?', ...nulls });
    expect(response.statusCode, response.body).toBe(200);
  });

  test('is the same as a missing field within an object', async () => {
    const user = { user_id: 'u-1', hash: null, name: null, email: null };
    const response = await query(workspace.key, { query: 'When are you open?', user });
    expect(response.statusCode, response.body).toBe(200);
  });

  test('an empty conversation_id starts a conversation too', async () => {
    const response = await query(workspace.key, { query: 'When are you open?', conversation_id: '' });
    expect(response.statusCode, response.body).toBe(200);
    expect(response.json().conversation_id).toMatch(/^conv_/);
  });

  test('a required field keeps its own error', async () => {
    const wrong = await query(workspace.key, { query: null });
    expect([wrong.statusCode, wrong.json().code]).toEqual([422, 'invalid_query']);
    const absent = await query(workspace.key, {});
    expect([absent.statusCode, absent.json().code]).toEqual([400, 'missing_field']);
  });

  test('metadata keeps its nulls', async () => {
    const metadata = { page: null };
    const response = await query(workspace.key, { query: 'When are you open?', metadata });
    const stored = await runtime.database.kysely
      .selectFrom('message')
      .select('metadata')
      .where('conversation_id', '=', response.json().conversation_id)
      .where('role', '=', 'user')
      .executeTakeFirstOrThrow();
    expect(stored.metadata).toEqual(metadata);
  });
});

describe('in the other operations', () => {
  test('a change that contains only nulls is empty, and a null that clears a field still does', async () => {
    const { conversation_id: id } = (await query(workspace.key, { query: 'Do you sell socks?' })).json();
    const empty = await v1('PATCH', `/conversations/${id}`, { status: null, tags: null });
    expect([empty.statusCode, empty.json().code]).toEqual([400, 'missing_field']);
    const named = { customer: { name: 'Ada', phone: '+1' }, priority: null };
    expect((await v1('PATCH', `/conversations/${id}`, named)).json().customer).toMatchObject({ name: 'Ada' });
    const cleared = await v1('PATCH', `/conversations/${id}`, { customer: { name: null } });
    expect(cleared.json().customer).toEqual({ email: null, email_verified: null, name: null, phone: '+1' });
  });

  test('the operator can send null for optional fields, and clears a setting with null', async () => {
    const limits = { rate_limit_minute: null, rate_limit_day: null, expires_at: null };
    const key = await operate('POST', `/workspaces/${workspace.id}/keys`, { name: 'Site', ...limits });
    expect(key.statusCode, key.body).toBe(201);
    const document = { content: 'We are open on Mondays.', title: null, url: null, audience: null };
    const added = await operate('POST', `/workspaces/${workspace.id}/documents`, document);
    expect(added.statusCode, added.body).toBe(202);
    await operate('PATCH', `/workspaces/${workspace.id}`, { settings: { description: 'A shop.' } });
    const settings = { name: null, settings: { description: null } };
    const cleared = await operate('PATCH', `/workspaces/${workspace.id}`, settings);
    expect(cleared.json().settings).not.toHaveProperty('description');
  });
});

describe('the description', async () => {
  const { operations } = readApi((await app.inject({ method: 'GET', url: '/openapi.json' })).json());
  const bodies = operations.flatMap(({ operationId, requestBody }) => {
    const schema = requestBody?.content['application/json']?.schema;
    return schema === undefined ? [] : [{ operationId, schema }];
  });
  const objectSchema = z.looseObject({
    properties: z.record(z.string(), z.unknown()).default({}),
    required: z.array(z.string()).default([]),
  });

  test.each(bodies)('shows every optional field of $operationId as nullable', ({ schema }) => {
    const { properties, required } = objectSchema.parse(schema);
    for (const [name, field] of Object.entries(properties)) {
      if (!required.includes(name)) expect(JSON.stringify(field), name).toContain('"null"');
    }
  });

  test('covers the bodies of many operations', () => expect(bodies.length).toBeGreaterThan(12));
});

test('input that no schema accepts is unchanged', () => {
  const schema = z.object({ list: z.array(z.object({ a: z.string().optional() })).optional() });
  expect(withoutAbsentNulls(schema, { list: [{ a: null }, null, 'x'] })).toEqual({ list: [{}, null, 'x'] });
  for (const odd of [null, 5, 'text', [null]]) expect(withoutAbsentNulls(schema, odd)).toEqual(odd);
});
