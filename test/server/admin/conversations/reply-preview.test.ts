import { expect, test, vi } from 'vitest';
import { plainTurn } from '../../../helpers/models/plain-turn.ts';
import { openPipelineServer } from '../../../helpers/servers/open-pipeline-server.ts';
import { uploadFile } from '../../../helpers/servers/upload-file.ts';

const server = await openPipelineServer({ kind: 'telegram', settings: { strictness: 'fallback' } });
const { runtime, workspace, channel, platform, receive, operate, conversationIn } = server;
await server.start();
await receive({ id: 'e1', chat: 'a', text: 'red sock', command: null });
// The answer has several parts: the last one is sent before anything is compared.
const waitingParts = () =>
  runtime.database.kysely
    .selectFrom('outbound_part')
    .select('number')
    .where('status', '=', 'waiting')
    .execute();
await vi.waitFor(
  async () => {
    expect(platform.sent.length).toBeGreaterThan(0);
    expect(await waitingParts()).toEqual([]);
  },
  { timeout: 20_000, interval: 20 },
);
const id = await conversationIn('a');
const preview = (content: string, conversation = id) =>
  operate('POST', `/workspaces/${workspace.id}/conversations/${conversation}/reply-preview`, { content });
const nothing = { subject: null, html: null };
const messages = async () =>
  (await operate('GET', `/workspaces/${workspace.id}/conversations/${id}/messages`)).json().entries.length;

test('a preview is what the channel would send, and sends and stores nothing', async () => {
  const before = [platform.sent.length, await messages()];
  const shown = await preview('  It is **red**.  ');
  expect([shown.statusCode, shown.json()]).toEqual([
    200,
    {
      parts: [{ ...nothing, text: expect.stringContaining('red'), length: expect.any(Number), file_ids: [] }],
      limit: expect.any(Number),
      markup: 'none',
    },
  ]);
  expect([platform.sent.length, await messages()]).toEqual(before);
});

test('a conversation without a channel shows the reply as it is', async () => {
  const { conversationId } = await runtime.conversations.storeTurn(plainTurn(workspace.id));
  const shown = await preview('It is **red**.', conversationId);
  expect(shown.json()).toEqual({
    parts: [{ ...nothing, text: 'It is **red**.', length: 14, file_ids: [] }],
    limit: null,
    markup: 'markdown',
  });
  const path = `/workspaces/${workspace.id}/conversations/${conversationId}`;
  const token = runtime.installation.adminToken;
  const { id: file } = (await uploadFile(server.app, { url: `/admin/v1${path}/files`, token })).json();
  const show = (file_ids: readonly string[]) => operate('POST', `${path}/reply-preview`, { file_ids });
  expect((await show([file])).json().parts).toEqual([{ ...nothing, text: '', length: 0, file_ids: [file] }]);
  expect((await show(['file_unknown'])).json().code).toBe('attachment_not_found');
  expect((await show([])).json().code).toBe('invalid_content');
});

test('an unknown conversation and a channel that is switched off are refused', async () => {
  expect((await preview('Yes', 'conv_unknown')).json().code).toBe('conversation_not_found');
  await operate('PATCH', `/workspaces/${workspace.id}/channels/${channel.id}`, { enabled: false });
  expect((await preview('Yes')).json().code).toBe('channel_unreachable');
});
