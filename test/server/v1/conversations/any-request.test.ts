import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openConversationServer } from '../../../helpers/servers/open-conversation-server.ts';

const { call, say, workspace } = await openConversationServer();
const id = await say();
const answer = (await call('GET', `/conversations/${id}`)).json().messages[1].id;

const names = [
  'channel',
  'status',
  'feedback',
  'tag',
  'since',
  'until',
  'updated_since',
  'q',
  'email',
  'customer',
  'priority',
  'waiting',
  'sla_state',
  'limit',
  'cursor',
];
const value = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc.constantFrom('open', 'api', '5', '2026-03-01', '2026-03-01T10:00', 'a@b', 'at_risk', 'thirty', '\0'),
);
const query = fc.array(fc.tuple(fc.constantFrom(...names), value), { maxLength: 4 });

test('every query is answered with a page or with its error', async () => {
  const property = fc.asyncProperty(query, async (parameters) => {
    const search = new URLSearchParams(parameters).toString();
    const response = await call('GET', `/conversations?workspace_id=${workspace.id}&${search}`);
    expect([200, 422], response.body).toContain(response.statusCode);
  });
  await fc.assert(property, { numRuns: 300 });
});

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 80 }),
  fc.constantFrom('open', 'snoozed', 'high', 'a@b'),
);
const anything = fc.oneof(fc.jsonValue({ depthSize: 'small' }), text);
const note = fc.record({ content: anything, author_email: anything }, { requiredKeys: [] });
const judgement = fc.record(
  { value: fc.oneof(anything, fc.constantFrom('up', null)), comment: anything },
  { requiredKeys: [] },
);
const change = fc.record(
  {
    status: anything,
    tags: fc.oneof(anything, fc.array(text)),
    priority: anything,
    internal_notes: fc.oneof(anything, fc.array(note)),
    customer: fc.oneof(
      anything,
      fc.record({ email: anything, name: text, phone: text }, { requiredKeys: [] }),
    ),
    snooze_until: fc.oneof(anything, fc.constantFrom('2026-04-01', '9999-12-31T23:59:59Z')),
  },
  { requiredKeys: [] },
);

test.each([
  ['PATCH', '', change],
  ['POST', '/notes', note],
  ['POST', `/messages/${answer}/feedback`, judgement],
] as const)('every body of %s %s is answered with its result or with its error', async (...operation) => {
  const [method, path, body] = operation;
  const property = fc.asyncProperty<[object]>(body, async (payload) => {
    const response = await call(method, `/conversations/${id}${path}`, { payload });
    expect([200, 201, 400, 422], response.body).toContain(response.statusCode);
  });
  await fc.assert(property, { numRuns: 200 });
});

test('a conversation with arbitrary text remains readable', async () => {
  expect((await call('GET', `/conversations/${id}`)).statusCode).toBe(200);
});
