import { expect, test } from 'vitest';
import { z } from 'zod';
import { startFakeProvider, unhurried } from '../../../helpers/models/providers/fake-provider.ts';
import { startSilentProvider } from '../../../helpers/models/providers/silent-provider.ts';
import { openStreamServer } from '../../../helpers/servers/open-stream-server.ts';
import { textOf } from '../../../helpers/servers/questions/read-events.ts';

const silent = await startSilentProvider(['Parcels', ' arrive within']);
const provider = await startFakeProvider({
  good: 'Parcels arrive within three working days [1].',
  unknowing: 'NO_ANSWER',
  worldly: 'GENERAL_KNOWLEDGE\nThe Moon circles the Earth.',
});
provider.mock.on(
  { model: 'astray' },
  { content: 'Parcels from Mars explode over Jupiter moons.' },
  unhurried,
);
const server = await openStreamServer({
  runtime: {
    environment: {
      ...provider.environment,
      LLM_MODELS: 'openai:good',
      OPENAI_COMPATIBLE_BASE_URL: silent.baseUrl,
    },
  },
  alter: (runtime) => ({ writer: runtime.writer }),
});

const answerSchema = z.looseObject({ answer: z.string(), confidence: z.string() });

const useModel = (model: string) =>
  server.runtime.workspaces.update(server.workspace.id, { settings: { model } });
const answer = async (model: string, fields: object = {}) => {
  await useModel(model);
  const frames = await server.frames(fields);
  return { frames, text: textOf(frames), last: frames.at(-1) };
};
const sync = async (model: string, fields: object = {}) => {
  await useModel(model);
  const response = await server.query(server.workspace.key, {
    query: 'How many working days until parcels arrive?',
    ...fields,
  });
  return answerSchema.parse(response.json());
};

test("streams a model's answer with its sources, tokens and confidence", async () => {
  const { text, last } = await answer('openai:good');
  expect(text).toBe('Parcels arrive within three working days.');
  expect(last).toMatchObject({ done: true, sources: [{ chunk: expect.stringContaining('Parcels') }] });
  expect(last?.confidence).not.toBe('low');
  expect(last?.tokens_used).toBeGreaterThan(0);
});

test('a query without streaming returns the same answer', async () => {
  const { answer: text, confidence } = await sync('openai:good');
  expect(text).toBe('Parcels arrive within three working days.');
  expect(confidence).not.toBe('low');
});

test('the fallback has low confidence if the model finds no answer', async () => {
  const { text, last } = await answer('openai:unknowing');
  expect(text).toMatch(/^I could not find an answer/);
  expect(last).toMatchObject({ done: true, confidence: 'low' });
  expect(await sync('openai:unknowing')).toMatchObject({ answer: text, confidence: 'low' });
});

test('a stream that leaves the documents is stopped and corrected, and a complete answer is the fallback alone', async () => {
  const { text, last } = await answer('openai:astray');
  expect(text).toMatch(/^Parcels from Mars[^.]*…\n\nI could not find an answer/);
  // A model wrote the words before the fallback.
  expect(last).toMatchObject({ confidence: 'low', tier: 'none', ai_generated: true, quoted: false });
  expect((await sync('openai:astray')).answer).toMatch(/^I could not find an answer/);
});

test('general knowledge is used only if the client allows it, with low confidence and no sources', async () => {
  const asked = { query: 'What does the Moon circle?', strictness: 'fallback' };
  const { text, last } = await answer('openai:worldly', asked);
  expect(text).toBe('The Moon circles the Earth.');
  expect(last).toMatchObject({ confidence: 'low', sources: [] });
  expect(await sync('openai:worldly', asked)).toMatchObject({ answer: text, confidence: 'low', sources: [] });
  const { text: strict } = await answer('openai:worldly', { ...asked, strictness: 'strict' });
  expect(strict).toMatch(/^I could not find an answer/);
});

test('a model that fails midway ends with an error frame, and no other model continues', async () => {
  const refunded = server.stores.refunded();
  const { text, last } = await answer('openai:cut-midway');
  expect('Parcels arrive within three working days.').toContain(text);
  expect(last).toMatchObject({ done: true, code: 'model_provider_error' });
  await refunded;
});

test('a model that fails before its first word is replaced within the request', async () => {
  expect((await answer('openai:limited')).text).toBe('Parcels arrive within three working days.');
});

test('a client that disconnects closes the connection to the provider, and the partial answer is stored', async () => {
  await useModel('openai-compatible:silent');
  const stored = server.stores.stored();
  const response = await server.openUnread();
  await silent.asked;
  for await (const bytes of response) {
    if (String(bytes).includes('within')) break;
  }
  response.destroy();
  await silent.left;
  expect(await stored).toMatchObject({ ended: 'cancelled', answer: { text: 'Parcels arrive within' } });
});
