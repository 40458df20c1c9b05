import { expect, test } from 'vitest';
import { openChatModel } from '../../../../core/models/model-pool.ts';
import { type Reply, startStrictServer } from '../../../helpers/models/providers/strict-server.ts';

const tools = [{ name: 'find_order', description: 'Finds an order.', parameters: { type: 'object' } }];

/** Opens a model on a server that replies as given. Returns what it says, and what the server was sent. */
async function open(model: string, reply: (body: Readonly<Record<string, unknown>>) => Reply) {
  const server = await startStrictServer(reply);
  const settings = { apiKey: 'k', baseUrl: server.url };
  const chat = await openChatModel({ provider: 'openai-compatible', model }, settings);
  return {
    sent: () => server.asked.map(({ body }) => body),
    model: chat,
    async ask({ streamed = false, withTools = false } = {}) {
      let said = '';
      const { signal } = new AbortController();
      const messages = [
        { role: 'system', text: 'Be brief.' },
        { role: 'user', text: 'Hello?' },
      ] as const;
      const request = { messages, temperature: null, streamed, signal, ...(withTools && { tools }) };
      for await (const { text } of chat.write(request)) said += text;
      return said;
    },
  };
}

test.each([
  [
    'max_tokens',
    "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
  ],
  [
    'temperature',
    "Unsupported value: 'temperature' does not support 0 with this model. Only the default (1) value is supported.",
  ],
  ['stream_options', 'Unrecognized request argument supplied: stream_options'],
  ['stream_options', 'body.stream_options: Extra inputs are not permitted'],
  ['tools', '`tools` is not supported by this model'],
])('a refused %s is left out from then on', async (field, refuses) => {
  const { ask, sent } = await open('deployment', (body) =>
    field in body ? { refuses } : { content: 'Hi.' },
  );
  const options = { streamed: true, withTools: true };
  expect(await ask(options)).toBe('Hi.');
  const before = sent().length;
  expect(before).toBeGreaterThan(1);
  expect(await ask(options)).toBe('Hi.');
  expect(sent().length - before).toBe(1);
  expect(sent().at(-1)).not.toHaveProperty(field);
});

test('several refused fields are learned in one question', async () => {
  const refused = ['max_tokens', 'max_completion_tokens', 'temperature', 'stream_options'];
  const { ask, sent } = await open('deployment', (body) => {
    const field = refused.find((name) => name in body);
    return field === undefined ? { content: 'Hi.' } : { refuses: `Unknown parameter: '${field}'.` };
  });
  expect(await ask({ streamed: true })).toBe('Hi.');
  expect(sent()).toHaveLength(4);
});

test('a model that wants max_completion_tokens is a thinking one, and gets the room for it', async () => {
  const { ask, sent, model } = await open('our-deployment', (body) =>
    'max_tokens' in body
      ? { refuses: "'max_tokens' is not supported. Use 'max_completion_tokens' instead." }
      : { content: 'Hi.' },
  );
  expect(model.thinks).toBe(false);
  await ask();
  await ask();
  expect(model.thinks).toBe(true);
  expect(sent().at(-1)).toMatchObject({ max_completion_tokens: 8_192 });
});

test('a chat template without a system role gets the instructions with the question', async () => {
  const { ask, sent } = await open('gemma', ({ messages }) =>
    JSON.stringify(messages).includes('"system"')
      ? { refuses: 'System role not supported' }
      : { content: 'Hi.' },
  );
  expect(await ask()).toBe('Hi.');
  expect(sent().at(-1)).toMatchObject({ messages: [{ role: 'user', content: 'Be brief.\n\nHello?' }] });
});

test('a refusal for another reason is asked once, and nothing is learned from it', async () => {
  let refuses = true;
  const { ask, sent } = await open('gpt-4o', () =>
    refuses ? { refuses: 'The content was filtered.' } : { content: 'Hi.' },
  );
  await expect(ask()).rejects.toMatchObject({ status: 400 });
  expect(sent()).toHaveLength(1);
  refuses = false;
  await ask();
  expect(sent().at(-1)).toMatchObject({ temperature: 0, max_tokens: 1_024 });
});

test.each(['openai/gpt-5-mini', 'o4-mini', 'GPT-5'])(
  '%s gets a low effort and no temperature',
  async (name) => {
    const { ask, sent } = await open(name, () => ({ content: 'Hi.' }));
    await ask();
    expect(sent()).toHaveLength(1);
    expect(sent()[0]).toMatchObject({ reasoning_effort: 'low', max_completion_tokens: 8_192 });
    expect(sent()[0]).not.toHaveProperty('temperature');
  },
);

test('a model whose thoughts used up its tokens is asked again with more of them', async () => {
  const { ask, sent } = await open('local', ({ max_tokens: limit }) =>
    Number(limit) > 2_000
      ? { content: '<think>Hm.</think>Hi.' }
      : { content: '<think>Hm, this takes', reasoning_content: null },
  );
  expect(await ask({ streamed: true })).toBe('Hi.');
  expect(sent()).toHaveLength(2);
});
