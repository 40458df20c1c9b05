import { afterAll, vi } from 'vitest';
import { z } from 'zod';
import { connectors } from '../../../../connectors/registry.ts';
import type { Clock } from '../../../../core/base/clock.ts';
import type { AnswerWriter } from '../../../../core/contract/answer-writer.ts';
import type { WorkspaceSettings } from '../../../../core/workspaces/workspace-settings.ts';
import { runAnswerWorker } from '../../../../workers/answer/worker.ts';
import { runDeliverWorker } from '../../../../workers/deliver/worker.ts';
import { openTwilioPeer } from '../../platforms/twilio/peer.ts';
import { freePort } from '../network/free-port.ts';
import { openTestServer } from '../open-test-server.ts';

interface TwilioServerOptions {
  readonly channel: 'whatsapp' | 'sms';
  /** Settings besides the number and Twilio's address. */
  readonly settings?: object;
  readonly clock?: Clock;
  readonly workspace?: WorkspaceSettings;
  readonly writer?: AnswerWriter;
  /** Further variables, such as those of models. */
  readonly models?: Readonly<Record<string, string>>;
}

const PUBLIC_URL = 'https://parley.example/help';
const DOCUMENT = '# Opening hours\n\nThe shop is open on weekdays from nine to five.';
const channelSchema = z.object({ id: z.string(), status: z.string(), webhook_url: z.string() });

/**
 * Starts a server behind a proxy that ends TLS and removes a part of the path, with workers, and Twilio beside it.
 * Twilio signs for the public address, and the proxy passes the requests on.
 */
export async function openTwilioServer({
  channel,
  settings,
  clock,
  workspace: wanted = {},
  writer,
  models = {},
}: TwilioServerOptions) {
  const twilio = await openTwilioPeer(clock === undefined ? undefined : () => clock.now());
  afterAll(() => twilio.close());
  const port = await freePort();
  const alter = () => (writer === undefined ? {} : { writer });
  const environment = { ...models, ALLOW_PRIVATE_CHANNELS: 'true', PUBLIC_URL };
  const server = await openTestServer({
    runtime: { environment, connectors, ...(clock && { clock }) },
    alter,
  });
  await server.app.listen({ host: '127.0.0.1', port });
  const { runtime } = server;
  const start = () => Promise.all([runAnswerWorker(runtime), runDeliverWorker(runtime)]);
  let running: readonly (() => Promise<void>)[] = await start();
  const stop = async () => {
    await Promise.all(running.map((end) => end()));
    running = [];
  };
  afterAll(stop);
  const workspace = await server.makeWorkspace({ settings: wanted });
  await server.addDocument(workspace.id, DOCUMENT);
  const added = await server.operate('POST', `/workspaces/${workspace.id}/channels`, {
    channel,
    name: 'Garden number',
    credentials: { account_sid: twilio.account.sid, auth_token: twilio.account.token },
    settings: { from: twilio.number, api_base_url: twilio.url, ...settings },
  });
  const stored = channelSchema.parse(added.json());
  twilio.hookAt(`http://127.0.0.1:${port}/webhooks/${stored.id}`, stored.webhook_url);
  const { kysely } = runtime.database;
  return {
    ...server,
    twilio,
    workspace,
    channel: stored,
    /** Returns the messages sent to a visitor, oldest first. */
    sentTo: (visitor: string) => twilio.sent.filter(({ to }) => to === visitor).map(({ body }) => body),
    eventually: (check: () => unknown) => vi.waitFor(check, { timeout: 20_000, interval: 20 }),
    /** Waits until all events are handled, and all written messages are sent or given up. */
    async settled(): Promise<void> {
      if (running.length === 0) return;
      await vi.waitFor(
        async () => {
          const [events, parts] = await Promise.all([
            kysely.selectFrom('inbound_event').select('event_id').where('handled_at', 'is', null).execute(),
            kysely.selectFrom('outbound_part').select('number').where('status', '=', 'waiting').execute(),
          ]);
          if (events.length + parts.length > 0) throw new TypeError('something is left to do');
        },
        { timeout: 20_000, interval: 20 },
      );
    },
    /** Stops the workers that answer and send, or starts them again. */
    async pause(paused: boolean): Promise<void> {
      await stop();
      if (!paused) running = await start();
    },
    parts: () =>
      kysely
        .selectFrom('outbound_part')
        .select(['status', 'failure', 'platform_message_id'])
        .orderBy('number')
        .execute(),
    async conversationOf(visitor: string): Promise<string> {
      const { conversation_id } = await kysely
        .selectFrom('lane')
        .select('conversation_id')
        .where('lane', 'like', `%/${visitor}`)
        .executeTakeFirstOrThrow();
      return conversation_id ?? '';
    },
    /** Makes a call with an API key of the workspace; `path` is below /v1. */
    integrate: (method: 'GET' | 'PATCH', path: string, payload?: object) =>
      server.app.inject({
        method,
        url: `/v1${path}`,
        headers: { authorization: `Bearer ${workspace.key}` },
        ...(payload && { payload }),
      }),
  };
}
