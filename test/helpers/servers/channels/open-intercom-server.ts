import { afterAll, vi } from 'vitest';
import { z } from 'zod';
import { connectors } from '../../../../connectors/registry.ts';
import type { AnswerWriter } from '../../../../core/contract/answer-writer.ts';
import { runAnswerWorker } from '../../../../workers/answer/worker.ts';
import { runDeliverWorker } from '../../../../workers/deliver/worker.ts';
import { openIntercomStandIn } from '../../platforms/intercom/stand-in.ts';
import { freePort } from '../network/free-port.ts';
import { openTestServer } from '../open-test-server.ts';

const channelSchema = z.object({ id: z.string(), status: z.string(), webhook_url: z.string() });

/** A server that listens, with workers, and a workspace of Intercom's beside it that posts to it. */
export async function openIntercomServer(settings: object = {}, writer?: AnswerWriter) {
  const intercom = await openIntercomStandIn();
  const port = await freePort();
  const environment = { ALLOW_PRIVATE_CHANNELS: 'true', PUBLIC_URL: `http://127.0.0.1:${port}` };
  const server = await openTestServer({
    runtime: { environment, connectors },
    alter: () => (writer === undefined ? {} : { writer }),
  });
  await server.app.listen({ host: '127.0.0.1', port });
  const { runtime } = server;
  const stops = await Promise.all([runAnswerWorker(runtime), runDeliverWorker(runtime)]);
  afterAll(() => Promise.all(stops.map((stop) => stop())));
  const workspace = await server.makeWorkspace();
  await server.addDocument(
    workspace.id,
    '# Opening hours\n\nThe shop is open on weekdays from nine to five.',
  );
  const added = await server.operate('POST', `/workspaces/${workspace.id}/channels`, {
    channel: 'intercom',
    name: 'Help desk',
    credentials: { access_token: intercom.token, client_secret: intercom.clientSecret },
    settings: { api_base_url: intercom.url, ...settings },
  });
  const channel = channelSchema.parse(added.json());
  return {
    ...server,
    intercom,
    workspace,
    channel,
    head: await intercom.subscribe(channel.webhook_url),
    eventually: (check: () => unknown) => vi.waitFor(check, { timeout: 20_000, interval: 20 }),
    /** Returns the stored messages of the conversation of a lane. */
    stored: (lane: string) =>
      runtime.database.kysely
        .selectFrom('lane')
        .innerJoin('conversation', 'conversation.id', 'lane.conversation_id')
        .innerJoin('message', 'message.conversation_id', 'conversation.id')
        .select(['conversation.status', 'message.role', 'message.content', 'message.feedback'])
        .select(['conversation.customer_name', 'conversation.customer_email', 'lane.reachable'])
        .where('lane.lane', '=', lane)
        .orderBy('message.position')
        .execute(),
  };
}
