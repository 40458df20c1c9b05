import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { findUnknownFields } from '../../../server/plugins/unknown-fields.ts';
import { openTestServer } from '../../helpers/servers/open-test-server.ts';

describe('unknown fields', () => {
  const schema = z.object({
    query: z.string(),
    top_k: z.int().optional().default(5),
    user: z.object({ user_id: z.string() }).optional(),
    notes: z.array(z.object({ content: z.string() })).nullish(),
    metadata: z.record(z.string(), z.unknown()).optional(),
    chosen: z.union([z.object({ a: z.string() }), z.object({ b: z.string() })]).optional(),
  });

  test.each<[string, unknown, readonly (readonly [string, string | null])[]]>([
    [
      'none',
      { query: 'a', top_k: 3, user: { user_id: 'u' }, metadata: { any: { thing: 1 } }, chosen: { c: 1 } },
      [],
    ],
    ['a misspelt one', { query: 'a', topk: 3 }, [['topk', 'top_k']]],
    ['two letters swapped', { qurey: 'a' }, [['qurey', 'query']]],
    [
      'in another case',
      { Query: 'a', topK: 3 },
      [
        ['Query', 'query'],
        ['topK', 'top_k'],
      ],
    ],
    ['one without a near name', { query: 'a', colour: 'red' }, [['colour', null]]],
    [
      'within objects and lists',
      { user: { id: 'u' }, notes: [{ contnet: 'a' }] },
      [
        ['user.id', null],
        ['notes.contnet', 'content'],
      ],
    ],
    ['no object', 'text', []],
  ])('are found: %s', (_name, body, expected) => {
    const found = findUnknownFields(schema, body).map(({ name, meant }) => [name, meant]);
    expect(found).toEqual(expected);
  });
});

describe('a call below /v1', async () => {
  const { app, makeWorkspace } = await openTestServer();
  const { id, key } = await makeWorkspace();
  const call = (payload: object, headers: Record<string, string> = {}) =>
    app.inject({
      method: 'POST',
      url: '/v1/query',
      headers: { authorization: `Bearer ${key}`, ...headers },
      payload,
    });

  test('is answered, with a warning that names the field and the one that is meant', async () => {
    const { statusCode, headers } = await call({ query: 'Hello', topk: 3 });
    expect([statusCode, headers.warning]).toEqual([200, '299 - "Unknown fields: topk. Did you mean top_k?"']);
    expect((await call({ query: 'Hello', top_k: 3 })).headers.warning).toBeUndefined();
  });

  test('is refused if the client wants that, and nothing is asked', async () => {
    const { statusCode, headers, body } = await call(
      { query: 'Hello', topk: 3 },
      { prefer: 'respond-async, handling=strict' },
    );
    expect([statusCode, headers['preference-applied']]).toEqual([422, 'handling=strict']);
    expect(JSON.parse(body)).toMatchObject({
      code: 'unknown_field',
      detail: 'Unknown fields: topk. Did you mean top_k?',
    });
    const { statusCode: known } = await call({ query: 'Hello' }, { prefer: 'handling=strict' });
    expect(known).toBe(200);
  });

  test('has a header that a client cannot break: names are cut, and other alphabets and quotes replaced', async () => {
    const names = ['a"\r\nset-cookie: x', 'größe', 'x'.repeat(200), 'b', 'c', 'd', 'e'];
    const { headers } = await call({ query: 'Hello', ...Object.fromEntries(names.map((name) => [name, 1])) });
    expect(headers.warning).toBe(
      `299 - "Unknown fields: a???set-cookie??x, gr??e, ${'x'.repeat(40)}, b, c, ...."`,
    );
  });

  test('tells of parameters of a list, and keeps those that name a field of metadata', async () => {
    const list = (query: string) =>
      app.inject({
        url: `/v1/conversations?workspace_id=${id}&${query}`,
        headers: { authorization: `Bearer ${key}` },
      });
    expect((await list('statuss=open')).headers.warning).toContain('Did you mean status?');
    expect((await list('metadata[order]=7&status=open')).headers.warning).toBeUndefined();
  });

  test('says so also if a required field is missing because its name is wrong', async () => {
    const { statusCode, headers } = await call({ qurey: 'Hello' });
    expect([statusCode, headers.warning]).toEqual([
      400,
      '299 - "Unknown fields: qurey. Did you mean query?"',
    ]);
  });
});
