import { expect, test } from 'vitest';
import { openTestServer } from '../../../helpers/servers/open-test-server.ts';
import { QuestionHold } from '../../../helpers/servers/questions/question-hold.ts';
import { sendQuery } from '../../../helpers/servers/questions/send-query.ts';

const hold = new QuestionHold();
const { app, makeWorkspace } = await openTestServer({
  alter: ({ embedder }) => ({ embedder: hold.around(embedder) }),
});
const { key } = await makeWorkspace();
const send = (idempotencyKey: string, body: object) => sendQuery(app, { key, idempotencyKey, body });

function expectDuplicate(response: Awaited<ReturnType<typeof send>>, detail: string): void {
  expect([response.statusCode, response.json()]).toEqual([
    409,
    {
      code: 'duplicate_request_id',
      detail: expect.stringContaining(detail),
      request_id: response.headers['x-request-id'],
    },
  ]);
  expect(response.headers['idempotency-replayed']).toBeUndefined();
}

test.each([
  ['another question', { query: 'Bye?' }],
  ['another field', { query: 'Do you sell socks?', top_k: 5 }],
  ['an unknown field', { query: 'Do you sell socks?', unheard_of: 1 }],
])('rejects a used Idempotency-Key with %s', async (what, body) => {
  expect((await send(what, { query: 'Do you sell socks?' })).statusCode).toBe(200);
  expectDuplicate(await send(what, body), 'used with a different body');
});

test('rejects a repetition during the first request, and also with another body', async () => {
  hold.begin();
  const first = send('in-flight', { query: 'Do you sell socks?' });
  await hold.arrived(1);
  expectDuplicate(await send('in-flight', { query: 'Do you sell socks?' }), 'still in progress');
  expectDuplicate(await send('in-flight', { query: 'Bye?' }), 'used with a different body');
  hold.end();
  expect((await first).statusCode).toBe(200);
});

test('reports an invalid body first', async () => {
  await send('checked', { query: 'Do you sell socks?' });
  expect((await send('checked', { query: '' })).json().code).toBe('missing_field');
});
