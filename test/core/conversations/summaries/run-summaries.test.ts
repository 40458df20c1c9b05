import { expect, test } from 'vitest';
import { AppError } from '../../../../core/base/errors.ts';
import type { JobQueue } from '../../../../core/queue/queue.ts';
import { runSummaryWorker } from '../../../../workers/summaries/worker.ts';
import { startFakeProvider } from '../../../helpers/models/providers/fake-provider.ts';
import { openTestServer } from '../../../helpers/servers/open-test-server.ts';

const provider = await startFakeProvider();
const summary = 'The visitor asked for a Vexler trimmer.';
provider.mock.on({ systemMessage: 'You sum up a conversation' }, { content: summary });
provider.mock.on({ systemMessage: 'You rewrite the last question' }, { content: 'Unusable' });
provider.mock.on({ systemMessage: 'You answer questions' }, { content: 'Parcels arrive in three days [1].' });
const { query, makeWorkspace, addDocument, runtime } = await openTestServer({
  runtime: { environment: { ...provider.environment, LLM_MODELS: 'openai:any' } },
});
const workspace = await makeWorkspace();
await addDocument(workspace.id, 'Parcels arrive in three days.');

/** The prompts of one kind that models received, newest last. */
const told = (beginning: string) =>
  provider.mock.getRequests().flatMap(({ body }) => {
    const text = JSON.stringify(body);
    return text.includes(`"content":"${beginning}`) ? [text] : [];
  });

test('summarises a long conversation once, in the background, and passes the summary to the next answer', async () => {
  const done = Promise.withResolvers<void>();
  const watched: Pick<JobQueue, 'work'> = {
    work: (name, handler) =>
      runtime.queue.work(name, {
        ...handler,
        async run(payload) {
          await handler.run(payload);
          done.resolve();
        },
      }),
  };
  const stop = await runSummaryWorker({ ...runtime, queue: { ...runtime.queue, ...watched } });
  let conversation_id: string | undefined;
  const ask = async (text: string) => {
    const response = await query(workspace.key, { query: text, conversation_id });
    conversation_id = response.json().conversation_id;
  };
  const questions = Array.from({ length: 8 }, (_, index) => `When do parcels arrive, order number ${index}?`);
  for (const question of questions) {
    expect(told('You sum up')).toEqual([]);
    await ask(question);
  }
  await done.promise;
  await ask('When do parcels arrive?');
  await stop();
  const [summed = '', ...more] = told('You sum up');
  expect(more).toEqual([]);
  for (const [index, question] of questions.entries()) expect(summed.includes(question)).toBe(index < 4);
  const answered = told('You answer').at(-1) ?? '';
  expect(answered).toContain(`<summary>\\n${summary}\\n</summary>`);
  for (const [index, question] of questions.entries()) expect(answered.includes(question)).toBe(index >= 4);
});

const unsummedConversation = async () => {
  const { id } = await runtime.database.kysely
    .selectFrom('conversation')
    .select('id')
    .executeTakeFirstOrThrow();
  await runtime.database.kysely
    .updateTable('conversation')
    .set({ summary: null, summary_until: 0 })
    .where('id', '=', id)
    .execute();
  return id;
};

test('retries a summary that no model writes, then gives up and logs it', async () => {
  const conversationId = await unsummedConversation();
  const givenUp = Promise.withResolvers<object>();
  let tries = 0;
  const stop = await runSummaryWorker({
    ...runtime,
    log: { warn: (told: object) => givenUp.resolve(told) },
    async complete() {
      tries += 1;
      throw new AppError('provider_down');
    },
  });
  await runtime.queue.add('summarise', 'failing', { conversationId });
  expect(await givenUp.promise).toMatchObject({ conversation: conversationId });
  expect(tries).toBe(3);
  await stop();
});

test('aborts running work on shutdown', async () => {
  const conversationId = await unsummedConversation();
  const reached = Promise.withResolvers<void>();
  const stop = await runSummaryWorker({
    ...runtime,
    complete: ({ signal }) => {
      reached.resolve();
      return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    },
  });
  await runtime.queue.add('summarise', 'hanging', { conversationId });
  await reached.promise;
  await expect(stop()).resolves.toBeUndefined();
});

test('queues nothing and runs no worker without a model', async () => {
  const work = () => Promise.reject(new TypeError('nobody works'));
  const stop = await runSummaryWorker({ ...runtime, complete: null, queue: { ...runtime.queue, work } });
  await stop();
});
