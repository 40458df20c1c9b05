import { expect, test, vi } from 'vitest';
import type { AnswerWriter } from '../../../../core/contract/answer-writer.ts';
import { openPipelineServer } from '../../../helpers/servers/open-pipeline-server.ts';
import { uploadFile } from '../../../helpers/servers/upload-file.ts';

const writer: AnswerWriter = {
  async *write() {
    yield { text: 'An answer.' };
  },
};
const settled = (check: () => unknown) => vi.waitFor(check, { timeout: 20_000, interval: 20 });

async function openChannel(environment: Readonly<Record<string, string>>) {
  const server = await openPipelineServer({
    ...{ kind: 'telegram', environment, settings: { strictness: 'fallback' as const } },
    alter: () => ({ writer }),
  });
  const { app, runtime, workspace, platform, receive, conversationIn } = server;
  const sent = () => platform.sent.map(({ text }) => text);
  await server.start();
  await receive({ id: 'e1', chat: 'a', text: 'red sock' });
  await settled(() => expect(sent()).toEqual(['An answer.']));
  const path = `/workspaces/${workspace.id}/conversations/${await conversationIn('a')}`;
  const token = runtime.installation.adminToken;
  return {
    ...server,
    sent,
    preview: (file_ids: readonly string[], content = '') =>
      server.operate('POST', `${path}/reply-preview`, { content, file_ids }),
    upload: () => uploadFile(app, { url: `/admin/v1${path}/files`, token }),
    reply: (file_ids: readonly string[], content = '') =>
      server.operate('POST', `${path}/reply`, { content, file_ids, author_email: 'ann@acme.example' }),
  };
}

const channel = await openChannel({ PUBLIC_URL: 'https://help.example' });

test('a file becomes a line with its link on a platform that shows none, once, also after a restart', async () => {
  const { id, url } = (await channel.upload()).json();
  const shown = (await channel.preview([id], 'Here it is.')).json().parts;
  await channel.stop();
  const reply = await channel.reply([id], 'Here it is.');
  expect(reply.statusCode).toBe(201);
  expect(channel.sent()).toHaveLength(1);
  await channel.start();
  // The platform takes short messages.
  const whole = `Here it is.\n\nplan\\.png: <${url}>`;
  await settled(() => expect(channel.sent().slice(1).join('')).toBe(whole));
  expect(shown.map(({ text }: { text: string }) => text).join('')).toBe(whole);
  expect(shown.flatMap(({ file_ids }: { file_ids: string[] }) => file_ids)).toEqual([]);
});

test('without a public address an upload is refused with the reason', async () => {
  const { upload } = await openChannel({});
  const refused = await upload();
  expect([refused.statusCode, refused.json()]).toMatchObject([
    409,
    { code: 'no_public_address', detail: expect.stringContaining('PUBLIC_URL is not set') },
  ]);
});

test('a channel whose visitors can open no links refuses files', async () => {
  const [connector] = channel.runtime.connectors.connectors;
  if (connector === undefined) throw new TypeError('no connector');
  const file = (await channel.upload()).json();
  Object.assign(connector.about, { agentFiles: 'refused' });
  expect((await channel.upload()).json().code).toBe('files_not_possible');
  expect((await channel.reply([file.id])).json().code).toBe('files_not_possible');
  expect((await channel.preview([file.id])).json().code).toBe('files_not_possible');
});
