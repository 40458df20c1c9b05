import { expect, test } from 'vitest';
import { openConversationServer } from '../../../../helpers/servers/open-conversation-server.ts';

const { call, say, makeWorkspace } = await openConversationServer();
const stranger = await makeWorkspace();
const [own, other, foreign] = [await say(), await say(), await say({ workspaceId: stranger.id })];
const messagesOf = async (id: string, key?: string): Promise<{ id: string; role: string }[]> =>
  (await call('GET', `/conversations/${id}`, key === undefined ? {} : { key })).json().messages;
const [question] = await messagesOf(own);
const [, answerElsewhere] = await messagesOf(other);
const [, foreignAnswer] = await messagesOf(foreign, stranger.key);

test.each([
  ['that never existed', 'msg_unknown'],
  ['with an invalid id', "msg_'%20or%201=1"],
  ['with a NUL in its id', 'msg_%00'],
  ['that is a message of the visitor', question?.id],
  ['of another conversation', answerElsewhere?.id],
  ['of another owner', foreignAnswer?.id],
])('an answer %s is not found', async (_, id) => {
  const response = await call('POST', `/conversations/${own}/messages/${id}/feedback`, {
    payload: { value: 'up' },
  });
  expect([response.statusCode, response.json().code]).toEqual([404, 'message_not_found']);
});

test('a request that was not found stores no rating', async () => {
  const messages = [...(await messagesOf(other)), ...(await messagesOf(foreign, stranger.key))];
  expect(messages.filter((message) => 'feedback' in message && message.feedback !== null)).toEqual([]);
});
