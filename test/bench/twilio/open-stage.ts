import { z } from 'zod';
import { connectors, findConnector } from '../../../connectors/registry.ts';
import { createLog } from '../../../core/base/log.ts';
import { readConfig } from '../../../core/config/config.ts';
import { ingestDocument } from '../../../core/knowledge/indexing/ingest-document.ts';
import { openRuntime } from '../../../core/runtime/runtime.ts';
import { buildApp } from '../../../server/app.ts';
import { runAnswerWorker } from '../../../workers/answer/worker.ts';
import { runDeliverWorker } from '../../../workers/deliver/worker.ts';
import { openTwilioPeer } from '../../helpers/platforms/twilio/peer.ts';
import type { Stage } from '../../helpers/platforms/twilio/whatsapp-life.ts';
import { freePort } from '../../helpers/servers/network/free-port.ts';

const PUBLIC_URL = 'https://parley.example';
const madeSchema = z.object({ id: z.string() });
const channelSchema = z.object({ id: z.string(), webhook_url: z.string() });
const replySchema = z.object({ code: z.string().optional(), detail: z.string().optional() });
const windowSchema = z.object({
  reply_window: z.object({ open: z.boolean(), closes_at: z.string().nullable() }).nullable(),
});
const settleMs = 20;

/** An installation in this process whose clock can be set, with a WhatsApp number and Twilio beside it. */
export async function openStage(folder: string): Promise<Stage & { close(): Promise<void> }> {
  const time = { now: new Date('2026-09-21T09:00:00Z') };
  const clock = { now: () => time.now };
  const twilio = await openTwilioPeer(clock.now);
  const config = readConfig({
    DATA_DIR: folder,
    ADMIN_TOKEN: 'a-token-for-the-benchmark',
    ALLOW_PRIVATE_CHANNELS: 'true',
    PUBLIC_URL,
    LOG_LEVEL: 'silent',
  });
  const runtime = await openRuntime(config, createLog('silent'), {
    clock,
    connectors: { connectors, findConnector },
  });
  const app = buildApp(runtime);
  const port = await freePort();
  await app.listen({ host: '127.0.0.1', port });
  const start = () => Promise.all([runAnswerWorker(runtime), runDeliverWorker(runtime)]);
  let running: readonly (() => Promise<void>)[] = await start();
  const stop = async () => {
    await Promise.all(running.map((end) => end()));
    running = [];
  };

  const operate = (method: 'POST' | 'PATCH', path: string, payload: object) =>
    app.inject({
      method,
      url: `/admin/v1/workspaces${path}`,
      payload,
      headers: { authorization: `Bearer ${runtime.installation.adminToken}` },
    });
  const { kysely } = runtime.database;
  const workspace = madeSchema.parse(
    (await operate('POST', '', { name: 'Garden shop', plan: 'growth' })).json(),
  );
  const key = await runtime.apiKeys.create(workspace.id, {
    name: 'Bench',
    rateLimitMinute: 1_000,
    rateLimitDay: 100_000,
  });
  const bytes = Buffer.from('# Opening hours\n\nThe shop is open on weekdays from nine to five.');
  const document = await runtime.documents.add({ workspaceId: workspace.id, bytes });
  await ingestDocument({ ...runtime, database: kysely }, document.id);
  const added = await operate('POST', `/${workspace.id}/channels`, {
    channel: 'whatsapp',
    name: 'Garden number',
    credentials: { account_sid: twilio.account.sid, auth_token: twilio.account.token },
    settings: { from: twilio.number, api_base_url: twilio.url },
  });
  const channel = channelSchema.parse(added.json());
  twilio.hookAt(`http://127.0.0.1:${port}/webhooks/${channel.id}`, channel.webhook_url);
  const conversation = async () => {
    const row = await kysely
      .selectFrom('lane')
      .select('conversation_id')
      .where('conversation_id', 'is not', null)
      .executeTakeFirstOrThrow();
    return row.conversation_id ?? '';
  };

  return {
    twilio,
    time,
    async reply(content) {
      const path = `/${workspace.id}/conversations/${await conversation()}/reply`;
      const response = await operate('POST', path, { content, author_email: 'ann@example.com' });
      return { status: response.statusCode, ...replySchema.parse(response.json()) };
    },
    async window() {
      const url = `/v1/conversations/${await conversation()}`;
      const response = await app.inject({ url, headers: { authorization: `Bearer ${key.value}` } });
      return windowSchema.parse(response.json()).reply_window;
    },
    async setTemplate(content_sid) {
      const templates = content_sid === null ? null : { reply: { content_sid } };
      await operate('PATCH', `/${workspace.id}/channels/${channel.id}`, { settings: { templates } });
    },
    async settled() {
      while (running.length > 0) {
        const events = await kysely
          .selectFrom('inbound_event')
          .select('event_id')
          .where('handled_at', 'is', null)
          .execute();
        const parts = await kysely
          .selectFrom('outbound_part')
          .select('number')
          .where('status', '=', 'waiting')
          .execute();
        if (events.length + parts.length === 0) return;
        await new Promise((resolve) => setTimeout(resolve, settleMs));
      }
    },
    async lastPart() {
      const last = await kysely
        .selectFrom('outbound_part')
        .select(['status', 'failure'])
        .orderBy('number', 'desc')
        .executeTakeFirstOrThrow();
      return last;
    },
    async pause(paused) {
      await stop();
      if (!paused) running = await start();
    },
    async close() {
      await stop();
      await app.close();
      await runtime.close();
      twilio.close();
    },
  };
}
