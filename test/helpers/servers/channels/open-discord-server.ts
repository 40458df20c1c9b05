import { afterAll, vi } from 'vitest';
import { z } from 'zod';
import { connectors } from '../../../../connectors/registry.ts';
import { runAnswerWorker } from '../../../../workers/answer/worker.ts';
import { runDeliverWorker } from '../../../../workers/deliver/worker.ts';
import { runListenWorker } from '../../../../workers/listen/worker.ts';
import { openDiscordStandIn } from '../../platforms/discord/open-stand-in.ts';
import { freePort } from '../network/free-port.ts';
import { openTestServer } from '../open-test-server.ts';

const channelSchema = z.object({ id: z.string(), status: z.string() });

/** A server that listens, with workers, and Discord beside it. */
export async function openDiscordServer(mode: 'gateway' | 'interactions') {
  const discord = await openDiscordStandIn({ heartbeatMs: 500 });
  // The gateway shows the bot messages in threads that do not name it.
  if (mode === 'gateway') discord.allowContent();
  const port = await freePort();
  const environment = { ALLOW_PRIVATE_CHANNELS: 'true', PUBLIC_URL: `http://127.0.0.1:${port}` };
  const server = await openTestServer({ runtime: { environment, connectors } });
  await server.app.listen({ host: '127.0.0.1', port });
  const { runtime } = server;
  const stops = await Promise.all([
    runAnswerWorker(runtime),
    runDeliverWorker(runtime),
    runListenWorker(runtime),
  ]);
  afterAll(() => Promise.all(stops.map((stop) => stop())));
  const workspace = await server.makeWorkspace({});
  await server.addDocument(
    workspace.id,
    '# Opening hours\n\nThe shop is open on weekdays from nine to five.',
  );
  const { application, token } = discord.world;
  const added = await server.operate('POST', `/workspaces/${workspace.id}/channels`, {
    channel: 'discord',
    name: 'Garden bot',
    credentials: {
      bot_token: token,
      application_id: application.id,
      public_key: application.verify_key,
    },
    settings: { mode, api_base_url: discord.url },
  });
  return {
    ...server,
    discord,
    workspace,
    channel: channelSchema.parse(added.json()),
    address: `http://127.0.0.1:${port}`,
    /** Returns the bot's messages in a room, all together. */
    said: (room: string) =>
      discord
        .answers(room)
        .map(({ content }) => content)
        .join('\n'),
    eventually: (check: () => unknown) => vi.waitFor(check, { timeout: 20_000, interval: 20 }),
  };
}
