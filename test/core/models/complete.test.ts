import { describe, expect, test } from 'vitest';
import { readConfig } from '../../../core/config/config.ts';
import { createComplete } from '../../../core/models/complete.ts';
import { ModelPool } from '../../../core/models/model-pool.ts';
import { startFakeProvider } from '../../helpers/models/providers/fake-provider.ts';

const provider = await startFakeProvider({ plain: 'Good morning.' });
const call = { name: 'find_order', arguments: '{"number":7}' };
provider.mock.on({ model: 'eager' }, { toolCalls: [call] });
provider.mock.on({ model: 'confused' }, { toolCalls: [{ ...call, arguments: '{"number":' }] });
provider.mock.on(
  { model: 'small', predicate: ({ tools }) => (tools ?? []).length > 0 },
  { error: { message: 'small does not support tools' }, status: 400 },
);
provider.mock.on({ model: 'small' }, { content: 'No tools here.' });

const tools = [
  {
    name: 'find_order',
    description: 'Finds an order.',
    parameters: { type: 'object', properties: { number: { type: 'integer' } }, required: ['number'] },
  },
];

function open(models: string) {
  const config = readConfig({ ...provider.environment, LLM_MODELS: models });
  const log = { warn() {}, error() {} };
  const pool = new ModelPool({ config, clock: { now: () => new Date() }, log });
  const complete = createComplete({ pool, log, timeoutMs: 5_000 });
  return (offered = tools) =>
    complete({
      messages: [{ role: 'user', text: 'Where is order 7?' }],
      tools: offered,
      model: null,
      signal: new AbortController().signal,
    });
}

describe.each(['openai', 'anthropic'])('a completion of %s', (dialect) => {
  test('returns the complete text', async () => {
    expect(await open(`${dialect}:plain`)()).toMatchObject({ text: 'Good morning.', toolCalls: [] });
  });

  test('may be a tool call', async () => {
    expect(await open(`${dialect}:eager`)()).toMatchObject({
      toolCalls: [{ name: 'find_order', given: { number: 7 } }],
    });
  });

  test('comes from the next model if the first is unavailable', async () => {
    expect(await open(`${dialect}:broken,${dialect}:plain`)()).toMatchObject({ text: 'Good morning.' });
  });

  test('is requested without tools if the model rejects them, and from then on at once', async () => {
    const complete = open(`${dialect}:small`);
    expect(await complete()).toMatchObject({ text: 'No tools here.' });
    const before = provider.asked().length;
    expect(await complete()).toMatchObject({ text: 'No tools here.' });
    expect(provider.asked().length - before).toBe(1);
  });

  test('fails with a contract error if no model answers', async () => {
    await expect(open(`${dialect}:broken`)()).rejects.toMatchObject({ code: 'model_provider_error' });
  });
});

test('returns no arguments if they are not valid JSON', async () => {
  expect(await open('openai:confused')()).toMatchObject({ toolCalls: [{ name: 'find_order', given: {} }] });
});
