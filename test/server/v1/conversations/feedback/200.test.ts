import { expect, test } from 'vitest';
import { z } from 'zod';
import { openConversationServer } from '../../../../helpers/servers/open-conversation-server.ts';

const { call, say, pass, time, workspace } = await openConversationServer();
const listSchema = z.object({ conversations: z.array(z.object({ id: z.string() })) });
const viewSchema = z.object({ messages: z.array(z.record(z.string(), z.unknown())) });
const messagesOf = async (id: string) =>
  viewSchema.parse((await call('GET', `/conversations/${id}`)).json()).messages;
const answered = async () => {
  const id = await say();
  const [, answer] = await messagesOf(id);
  const path = `/conversations/${id}/messages/${String(answer?.id)}/feedback`;
  const judge = async (payload: object) => {
    const response = await call('POST', path, { payload });
    expect(response.statusCode, response.body).toBe(200);
    return response.json();
  };
  return { id, judge };
};

test('returns the rating of an answer wherever the answer is read', async () => {
  const { id, judge } = await answered();
  const [question, before] = await messagesOf(id);
  expect([question?.feedback, before?.feedback]).toEqual([undefined, null]);
  const judged = await judge({ value: 'down', comment: ' The price is wrong. ' });
  const feedback = { value: 'down', comment: 'The price is wrong.', at: time.now.toISOString() };
  expect(judged).toEqual({ ...before, feedback });
  expect((await messagesOf(id))[1]).toEqual(judged);
  const page = (await call('GET', `/conversations/${id}/messages`)).json();
  expect(page.messages[1]).toEqual(judged);
});

test('a later comment is added, and the same rating again erases nothing', async () => {
  const { judge } = await answered();
  await judge({ value: 'up' });
  pass(1_000);
  const at = time.now.toISOString();
  await judge({ value: 'up', comment: 'Quick!' });
  pass(1_000);
  for (const again of [{ value: 'up' }, { value: 'up', comment: null }, { value: 'up', comment: ' ' }]) {
    expect((await judge(again)).feedback).toEqual({ value: 'up', comment: 'Quick!', at });
  }
});

test('the latest rating counts: a different one drops the earlier comment, and null removes the rating', async () => {
  const { judge } = await answered();
  await judge({ value: 'up', comment: 'Quick!' });
  const { feedback } = await judge({ value: 'down' });
  expect(feedback).toMatchObject({ value: 'down', comment: null });
  expect(await judge({ value: null })).toMatchObject({ feedback: null });
  expect(await judge({ value: null, comment: 'never mind' })).toMatchObject({ feedback: null });
});

test('the list finds conversations by the rating of one of their answers', async () => {
  const [good, bad] = [await answered(), await answered()];
  const found = async (value: string) => {
    const { json } = await call('GET', `/conversations?workspace_id=${workspace.id}&feedback=${value}`);
    return listSchema.parse(json()).conversations.map(({ id }) => id);
  };
  const before = { up: await found('up'), down: await found('down') };
  await good.judge({ value: 'up' });
  await bad.judge({ value: 'down' });
  expect(await found('up')).toEqual([good.id, ...before.up]);
  expect(await found('down')).toEqual([bad.id, ...before.down]);
  await bad.judge({ value: null });
  expect(await found('down')).toEqual(before.down);
});

test('the same rating many times at once is stored once', async () => {
  const { judge, id } = await answered();
  await Promise.all(Array.from({ length: 20 }, () => judge({ value: 'up' })));
  expect((await messagesOf(id))[1]?.feedback).toMatchObject({ value: 'up' });
});
