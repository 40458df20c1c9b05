import { afterAll, vi } from 'vitest';
import { z } from 'zod';
import { connectors } from '../../../../connectors/registry.ts';
import type { WorkspaceSettings } from '../../../../core/workspaces/workspace-settings.ts';
import { runAnswerWorker } from '../../../../workers/answer/worker.ts';
import { runDeliverWorker } from '../../../../workers/deliver/worker.ts';
import { runListenWorker } from '../../../../workers/listen/worker.ts';
import { openSlackStandIn } from '../../platforms/slack/stand-in.ts';
import { freePort } from '../network/free-port.ts';
import { openTestServer } from '../open-test-server.ts';

const channelSchema = z.object({ id: z.string(), status: z.string(), webhook_url: z.string().nullable() });

interface SlackServerOptions {
  readonly mode: 'events' | 'socket';
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly workspace?: WorkspaceSettings;
  /** The credentials of an app that teams install, instead of those of the app that one team has installed. */
  readonly credentials?: Readonly<Record<string, string>>;
  /** The address of the API, instead of the stand-in's. */
  readonly api?: { readonly url: string; readonly botToken: string };
}

/** A server that listens, with workers, and Slack beside it. */
export async function openSlackServer({
  mode,
  settings = {},
  workspace: wanted = {},
  credentials,
  api,
}: SlackServerOptions) {
  const slack = await openSlackStandIn();
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
  const workspace = await server.makeWorkspace({ settings: wanted });
  await server.addDocument(
    workspace.id,
    '# Opening hours\n\nThe shop is open on weekdays from nine to five.',
  );
  const { botToken, appToken, signingSecret } = slack.app;
  const added = await server.operate('POST', `/workspaces/${workspace.id}/channels`, {
    channel: 'slack',
    name: 'Garden bot',
    credentials: credentials ?? {
      bot_token: api?.botToken ?? botToken,
      signing_secret: signingSecret,
      app_token: appToken,
    },
    settings: { mode, api_base_url: api?.url ?? slack.url, ...settings },
  });
  const channel = channelSchema.parse(added.json());
  slack.postTo(channel.webhook_url ?? '');
  return {
    ...server,
    slack,
    workspace,
    channel,
    address: `http://127.0.0.1:${port}`,
    events: () =>
      runtime.database.kysely
        .selectFrom('inbound_event')
        .select(['event_id', 'lane', 'handled_at', 'failure'])
        .where('channel_id', '=', channel.id)
        .orderBy('number')
        .execute(),
    eventually: (check: () => unknown) => vi.waitFor(check, { timeout: 20_000, interval: 20 }),
  };
}
