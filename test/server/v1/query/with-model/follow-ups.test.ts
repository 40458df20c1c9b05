import { expect, test } from 'vitest';
import { z } from 'zod';
import { startFakeProvider } from '../../../../helpers/models/providers/fake-provider.ts';
import { openTestServer } from '../../../../helpers/servers/open-test-server.ts';

const provider = await startFakeProvider({
  good: 'How many kilograms is the Vexler trimmer?',
  inventive: 'How many kilograms is the Zorbax mower?',
});
const { app, query, makeWorkspace, addDocument, runtime } = await openTestServer({
  runtime: { environment: { ...provider.environment, LLM_MODELS: 'openai:broken' } },
  // Quotes only: the models only rewrite.
  alter: () => ({ writer: null }),
});
const workspace = await makeWorkspace();
await addDocument(workspace.id, '# Advice\n\nFor high hedges we recommend the Vexler trimmer.');
await addDocument(
  workspace.id,
  '# Vexler trimmer\n\nThe Vexler trimmer is 3.2 kilograms without its battery.',
);
await addDocument(workspace.id, '# Zorbax mower\n\nThe Zorbax mower is 21 kilograms with its bag.');

const answerSchema = z.looseObject({
  answer: z.string(),
  conversation_id: z.string(),
  tokens_used: z.number(),
});
const ask = async (text: string, conversation_id?: string) =>
  answerSchema.parse((await query(workspace.key, { query: text, conversation_id })).json());

const first = 'What do you recommend for high hedges?';
const followUp = 'how many kilograms is it?';

/** A model's rewriting of each question after the first one, and the models that were called. */
async function followUpWith(model: string, question = followUp) {
  await runtime.workspaces.update(workspace.id, { settings: { model } });
  const { answer: begun, conversation_id: id } = await ask(first);
  const before = provider.asked().length;
  const { answer, tokens_used } = await ask(question, id);
  return { id, begun, answer, tokens_used, asked: provider.asked().slice(before) };
}

const weight = 'The Vexler trimmer is 3.2 kilograms without its battery.';
const advice = 'For high hedges we recommend the Vexler trimmer.';

test('a follow-up that a model rewrites finds more than its own words', async () => {
  const { answer, asked, tokens_used } = await followUpWith('openai:good');
  expect({ answer, asked }).toEqual({ answer: weight, asked: ['good'] });
  expect(tokens_used).toBeGreaterThan(0);
  const request = provider.mock.getLastRequest()?.body;
  expect(JSON.stringify(request)).toContain(JSON.stringify(`<question>\n${followUp}\n`).slice(1, -1));
  expect(JSON.stringify(request)).toContain(advice);
});

test('does not search for words that nobody said, however good the answer would be', async () => {
  const { answer, asked } = await followUpWith('openai:inventive');
  expect(asked).toEqual(['inventive']);
  expect(answer).toContain(advice);
  expect(answer).not.toContain('Zorbax');
});

test('uses the words of the follow-up if no provider answers', async () => {
  const { answer, asked, tokens_used } = await followUpWith('openai:broken');
  expect({ asked, tokens_used }).toEqual({ asked: ['broken'], tokens_used: 0 });
  expect(answer).toContain(advice);
});

test('treats a short question without a clear answer as a possible follow-up', async () => {
  const question = 'Weight in kilograms?';
  expect(await followUpWith('openai:good', question)).toMatchObject({ answer: weight, asked: ['good'] });
  const { answer } = await followUpWith('openai:inventive', 'Warranty in months?');
  expect(answer).toMatch(/^I could not find an answer/);
});

test('calls no model for a complete question that finds its answer', async () => {
  const question = 'How many kilograms is the Zorbax mower with its bag?';
  const { answer, asked } = await followUpWith('openai:good', question);
  expect(answer).toContain('21 kilograms');
  expect(asked).toEqual([]);
});

test('starts without context after a resolution', async () => {
  const { id, answer } = await followUpWith('openai:good');
  expect(answer).toBe(weight);
  await app.inject({
    method: 'PATCH',
    url: `/v1/conversations/${id}`,
    headers: { authorization: `Bearer ${workspace.key}` },
    payload: { status: 'resolved' },
  });
  const before = provider.asked().length;
  expect((await ask(followUp, id)).answer).not.toBe(weight);
  expect(provider.asked().length).toBe(before);
});
