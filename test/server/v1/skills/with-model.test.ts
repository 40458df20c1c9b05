import { beforeEach, describe, expect, test } from 'vitest';
import { startFakeProvider } from '../../../helpers/models/providers/fake-provider.ts';
import { openWebhookReceiver } from '../../../helpers/servers/network/webhook-receiver.ts';
import { openTestServer } from '../../../helpers/servers/open-test-server.ts';

const provider = await startFakeProvider();
const receiver = await openWebhookReceiver();
const call = (name: string, given: object) => ({
  toolCalls: [{ name, arguments: JSON.stringify(given) }],
});
/** Decides by the visitor's words and repeats its input. */
const decides = (model: string, said: RegExp, response: object) =>
  provider.mock.on({ model, userMessage: said }, response);

for (const dialect of ['gpt', 'claude']) {
  provider.mock.on(
    { model: dialect, userMessage: /still needed/ },
    { content: 'Please tell me the number of your order [1].' },
  );
  provider.mock.on(
    { model: dialect, userMessage: /<passage number="1" from="order_status">/ },
    { content: 'Order 7 left our warehouse on Tuesday [1].' },
  );
  decides(dialect, /^<message>\nWhere is order 7/, call('order_status', { order_id: '7' }));
  decides(dialect, /^<message>\nWhere is my order/, call('order_status', {}));
  decides(dialect, /^<message>\nI have had it/, call('escalate_to_human', { reason: 'He is upset.' }));
  decides(
    dialect,
    /^<message>\nSend me your offer/,
    call('collect_lead', { email: 'made-up@example.com', name: 'Bob' }),
  );
  provider.mock.on({ model: dialect }, { content: 'NONE' });
}

const server = await openTestServer({
  runtime: {
    environment: {
      ...provider.environment,
      LLM_MODELS: 'openai:gpt,anthropic:claude',
      ALLOW_PRIVATE_WEBHOOKS: 'true',
    },
  },
});

async function openShop(model: string, skill: object = {}) {
  const shop = await server.makeWorkspace({ plan: 'growth', settings: { model } });
  await server.addDocument(shop.id, 'Parcels arrive within three working days.');
  const added = await server.operate('POST', `/workspaces/${shop.id}/skills`, {
    name: 'order_status',
    description: 'Looks up where an order is.',
    parameters: {
      type: 'object',
      properties: { order_id: { type: 'string', description: 'the number of the order' } },
      required: ['order_id'],
    },
    url: receiver.url,
    ...skill,
  });
  expect(added.statusCode).toBe(201);
  return {
    ...shop,
    ask: async (query: string, more: object = {}) =>
      (await server.query(shop.key, { query, ...more })).json(),
    stream: async (query: string) => {
      const { body } = await server.stream(shop.key, { query });
      const lines = body.split('\n').filter((line) => line.startsWith('data: '));
      return lines.map((line) => JSON.parse(line.slice('data: '.length)));
    },
  };
}

beforeEach(() => {
  receiver.received.length = 0;
  receiver.answer = (response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ order: 7, state: 'left our warehouse on Tuesday' }));
  };
});

describe.each(['openai:gpt', 'anthropic:claude'])('with %s', (model) => {
  test('calls a skill of the workspace and writes the answer from its result', async () => {
    const shop = await openShop(model);
    const answer = await shop.ask('Where is order 7?');
    expect(answer).toMatchObject({
      answer: 'Order 7 left our warehouse on Tuesday.',
      confidence: 'high',
      sources: [],
      skills_fired: ['knowledge_search', 'order_status'],
    });
    expect(receiver.received.map(({ body }) => JSON.parse(body))).toMatchObject([
      { type: 'skill.called', data: { skill: 'order_status', arguments: { order_id: '7' }, user: null } },
    ]);
  });

  test('streams the same answer', async () => {
    const frames = await (await openShop(model)).stream('Where is order 7?');
    expect(frames.map(({ token }) => token ?? '').join('')).toBe('Order 7 left our warehouse on Tuesday.');
    expect(frames.at(-1)).toMatchObject({ skills_fired: ['knowledge_search', 'order_status'] });
  });

  test('asks for missing arguments and calls nothing', async () => {
    const shop = await openShop(model);
    expect((await shop.ask('Where is my order?')).answer).toBe('Please tell me the number of your order.');
    expect(receiver.received).toEqual([]);
  });

  test('hands an upset visitor to an agent without a request', async () => {
    const answer = await (await openShop(model)).ask('I have had it with you!');
    expect(answer.skills_fired).toContain('escalate_to_human');
    expect(answer.answer).toMatch(/^I have passed this conversation on/);
    const { rows } = await server.runtime.database.pool.query(
      'select status from conversation where id = $1',
      [answer.conversation_id],
    );
    expect(rows).toEqual([{ status: 'escalated' }]);
  });

  test('does not store an address that the visitor did not give', async () => {
    const answer = await (await openShop(model)).ask('Send me your offer by mail.');
    expect(answer.skills_fired).toContain('collect_lead');
    const { rows } = await server.runtime.database.pool.query(
      'select customer_email, customer_name from conversation where id = $1',
      [answer.conversation_id],
    );
    expect(rows).toEqual([{ customer_email: null, customer_name: null }]);
  });

  test('does not call a skill for verified visitors for anonymous ones, and tells them to sign in', async () => {
    const shop = await openShop(model, { runs_for: 'verified' });
    const answer = await shop.ask('Where is order 7?');
    expect(answer).toMatchObject({ skills_fired: ['knowledge_search'] });
    expect(answer.answer).toMatch(/sign in/);
    expect(receiver.received).toEqual([]);
  });

  test('does not invent an answer if the receiver is down', async () => {
    receiver.answer = (response) => void response.writeHead(500).end();
    const answer = await (await openShop(model)).ask('Where is order 7?');
    expect(answer.answer).toMatch(/could not do that just now/);
    expect(answer.skills_fired).toContain('order_status');
  });

  test('does not call a disabled skill', async () => {
    const shop = await openShop(model);
    await server.operate('PATCH', `/workspaces/${shop.id}`, { settings: { skills: ['knowledge_search'] } });
    expect(await shop.ask('Where is order 7?')).toMatchObject({ confidence: 'low' });
    expect(receiver.received).toEqual([]);
  });
});
