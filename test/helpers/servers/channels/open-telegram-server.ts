import { afterAll, vi } from 'vitest';
import { z } from 'zod';
import { connectors } from '../../../../connectors/registry.ts';
import type { Clock } from '../../../../core/base/clock.ts';
import type { Runtime } from '../../../../core/runtime/runtime.ts';
import type { WorkspaceSettings } from '../../../../core/workspaces/workspace-settings.ts';
import { runAnswerWorker } from '../../../../workers/answer/worker.ts';
import { runDeliverWorker } from '../../../../workers/deliver/worker.ts';
import { runListenWorker } from '../../../../workers/listen/worker.ts';
import { openTelegramStandIn } from '../../platforms/telegram/stand-in.ts';
import { freePort } from '../network/free-port.ts';
import { openTestServer } from '../open-test-server.ts';

const channelSchema = z.object({ id: z.string(), status: z.string() });

interface TelegramServerOptions {
  /** The environment that names the database; the embedded one if absent. */
  readonly database?: { readonly DATABASE_URL?: string };
  readonly alter?: (runtime: Runtime) => Partial<Runtime>;
  readonly clock?: Clock;
  /** Further variables, such as those of models. */
  readonly models?: Readonly<Record<string, string>>;
}

/** A server that listens, with workers, and Telegram beside it. */
export async function openTelegramServer(
  mode: 'webhook' | 'polling',
  settings: WorkspaceSettings = {},
  { database = {}, alter, clock, models = {} }: TelegramServerOptions = {},
) {
  const telegram = await openTelegramStandIn();
  const port = await freePort();
  const environment = {
    ...database,
    ...models,
    ALLOW_PRIVATE_CHANNELS: 'true',
    PUBLIC_URL: `http://127.0.0.1:${port}`,
  };
  const server = await openTestServer({
    runtime: { environment, connectors, ...(clock && { clock }) },
    ...(alter && { alter }),
  });
  await server.app.listen({ host: '127.0.0.1', port });
  const { runtime } = server;
  const stops = await Promise.all([
    runAnswerWorker(runtime),
    runDeliverWorker(runtime),
    runListenWorker(runtime),
  ]);
  afterAll(() => Promise.all(stops.map((stop) => stop())));
  const workspace = await server.makeWorkspace({ settings });
  await server.addDocument(
    workspace.id,
    '# Opening hours\n\nThe shop is open on weekdays from nine to five.',
  );
  const added = await server.operate('POST', `/workspaces/${workspace.id}/channels`, {
    channel: 'telegram',
    name: 'Garden bot',
    credentials: { bot_token: telegram.token },
    settings: { mode, api_base_url: telegram.url },
  });
  return {
    ...server,
    telegram,
    workspace,
    channel: channelSchema.parse(added.json()),
    address: `http://127.0.0.1:${port}`,
    /** Returns the messages sent to a chat, all together. */
    said: (chat: number) =>
      telegram.sent
        .filter((message) => message.chat === chat)
        .map(({ text }) => text)
        .join('\n'),
    eventually: (check: () => unknown) => vi.waitFor(check, { timeout: 20_000, interval: 20 }),
  };
}
