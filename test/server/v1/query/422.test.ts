import { expect, test } from 'vitest';
import { errorCatalogue } from '../../../../core/base/error-catalogue.ts';
import { querySchema } from '../../../../server/v1/query/schema.ts';
import { openTestServer } from '../../../helpers/servers/open-test-server.ts';

const { app, query, makeWorkspace } = await openTestServer();
const { key } = await makeWorkspace({ settings: { audiences: ['staff'] } });

async function codeOf(payload: object) {
  const response = await query(key, payload);
  return [response.statusCode, response.json().code];
}

const wrongTypes = [5.5, true, 'text', ['x', 5], { x: 5 }];

test.each([
  ['workspace_id', [5, true, [], {}], 'invalid_workspace_id', 400],
  ['query', [null, 5, true, [], {}], 'invalid_query', 422],
  ['conversation_id', [5, true, [], {}], 'invalid_conversation_id', 422],
  ['top_k', [...wrongTypes, 0, 21, -1, 1.5, '5', 1e9], 'invalid_top_k', 422],
  ['temperature', [true, 'warm', [], {}, -0.01, 1.01], 'invalid_temperature', 422],
  ['strictness', [...wrongTypes, 'STRICT', ''], 'invalid_strictness', 422],
  ['audience', [...wrongTypes, ['unknown'], ['staff', 'unknown'], [''], [null]], 'invalid_audience', 422],
  ['document_ids', [5, 'doc_1', {}, [5], Array(101).fill('doc_1')], 'invalid_document_ids', 422],
  ['session_id', [5, true, [], {}, 'x'.repeat(201)], 'invalid_session_id', 422],
  [
    'user',
    [...wrongTypes, {}, { user_id: 5 }, { user_id: '' }, { user_id: 'u', hash: 5 }],
    'invalid_user',
    422,
  ],
  ['verification_token', [5, true, [], {}], 'invalid_verification_token', 422],
  ['metadata', [5, true, 'text', ['x'], { x: 'y'.repeat(16_384) }], 'invalid_metadata', 422],
] as const)('reports an invalid %s with its own code', async (field, values, code, status) => {
  for (const value of values) {
    expect(await codeOf({ query: 'Do you sell socks?', [field]: value }), JSON.stringify(value)).toEqual([
      status,
      code,
    ]);
  }
});

test.each([
  ['top_k', [1, 20]],
  ['temperature', [0, 1, 0.5]],
  ['strictness', ['strict', 'fallback']],
  ['audience', [[], ['staff']]],
  ['document_ids', [[]]],
  ['session_id', ['', '😀'.repeat(200)]],
  ['user', [{ user_id: 'u', name: 'Ada', email: 'ada@example.org', extra: 1 }]],
  ['metadata', [{}, { page_url: 'https://example.org', nested: { x: [null] } }, { x: 'y'.repeat(16_376) }]],
])('accepts every valid %s', async (field, values) => {
  for (const value of values) {
    expect((await codeOf({ query: 'Do you sell socks?', [field]: value }))[0], JSON.stringify(value)).toBe(
      200,
    );
  }
});

test.each(['[]', '"text"', '5', 'null', 'true'])('rejects a body of %s as not an object', async (payload) => {
  const response = await app.inject({
    method: 'POST',
    url: '/v1/query',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    payload,
  });
  expect([response.statusCode, response.json().code]).toEqual([422, 'invalid_body']);
});

test.each([
  ['in a known field', 'metadata'],
  ['in an unknown field', 'unheard_of'],
])('rejects a body that is nested too deeply: %s', async (_where, field) => {
  const nest = (levels: number) => `{"a":${'['.repeat(levels)}"\\u0000"${']'.repeat(levels)}}`;
  const post = (levels: number) =>
    app.inject({
      method: 'POST',
      url: '/v1/query',
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        'idempotency-key': `${field}-${levels}`,
      },
      payload: `{"query":"Do you sell socks?","${field}":${nest(levels)}}`,
    });
  expect((await post(498)).statusCode).toBe(200);
  for (const levels of [499, 5_000, 200_000]) {
    const response = await post(levels);
    expect([response.statusCode, response.json().code], `${levels}`).toEqual([422, 'invalid_body']);
  }
});

test('reports the first of several invalid fields in the order of the contract', async () => {
  expect(await codeOf({ metadata: 5, top_k: 0, session_id: 5, query: 'Do you sell socks?' })).toEqual([
    422,
    'invalid_top_k',
  ]);
});

test('every field of the request has its own code', () => {
  const without = Object.keys(querySchema.body.shape).filter(
    (field) => !(`invalid_${field}` in errorCatalogue),
  );
  expect(without).toEqual([]);
});
