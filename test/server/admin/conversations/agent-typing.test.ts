import { expect, test, vi } from 'vitest';
import { openPipelineServer } from '../../../helpers/servers/open-pipeline-server.ts';
import { signInPerson } from '../../../helpers/servers/sign-in-person.ts';

const server = await openPipelineServer();
const { app, runtime, platform, receive, workspace, operate, conversationIn } = server;
await server.start();
const agent = await signInPerson(
  { app, runtime },
  { email: 'ada@shop.example', role: 'agent', ownerId: workspace.owner },
);

/** A chat on the platform that the engine has answered. */
async function beginChat(chat: string) {
  await receive({ id: `e-${chat}`, chat, text: 'Do you sell socks?' });
  await vi.waitFor(() => expect(platform.sent.some((part) => part.chat === chat)).toBe(true), {
    timeout: 20_000,
    interval: 20,
  });
  const path = `/workspaces/${workspace.id}/conversations/${await conversationIn(chat)}`;
  return {
    reply: (content: string) =>
      operate('POST', `${path}/reply`, { content, author_email: 'ada@shop.example' }),
    async write() {
      const before = platform.typing;
      const answer = await agent.call('PUT', `/admin/v1${path}/presence`, { doing: 'writing' });
      expect(answer.statusCode).toBe(204);
      return platform.typing - before;
    },
  };
}

test('an agent who writes shows the platform’s own indicator, once while it lasts', async () => {
  const { reply, write } = await beginChat('a');
  await reply('Ada here.');
  expect([await write(), await write()]).toEqual([1, 0]);
});

test('while the engine answers, an agent who writes shows nothing', async () => {
  const { write } = await beginChat('b');
  expect(await write()).toBe(0);
});
