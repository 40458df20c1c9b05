import { createEmulator } from 'emulate';
import { afterAll, vi } from 'vitest';
import { z } from 'zod';
import { connectors } from '../../../../connectors/registry.ts';
import type { AnswerWriter } from '../../../../core/contract/answer-writer.ts';
import { ingestDocument } from '../../../../core/knowledge/indexing/ingest-document.ts';
import { runAnswerWorker } from '../../../../workers/answer/worker.ts';
import { runDeliverWorker } from '../../../../workers/deliver/worker.ts';
import { PhoneCall } from '../../platforms/twilio/phone-call.ts';
import { openTestServer } from '../open-test-server.ts';

export const voiceCredentials = {
  account_sid: `AC${'0'.repeat(32)}`,
  auth_token: 'twilio_test_auth_token',
};
const number = '+15551234567';
const channelSchema = z.object({ id: z.string(), webhook_url: z.string() });
const messagesSchema = z.object({ messages: z.array(z.object({ to: z.string(), body: z.string() })) });
const portSchema = z.object({ port: z.number() });

/** A writer whose pieces a test releases one by one. */
export function pacedWriter() {
  const pace = {
    /** The promises that hold up the first sentence, and the rest. */
    begins: Promise.resolve(),
    until: Promise.resolve(),
    sentences: ['We are open from 9:00 to 17:00. ', 'On Sundays we are closed.'],
  };
  const writer: AnswerWriter = {
    async *write({ signal }) {
      const gone = new Promise<never>((_resolve, reject) =>
        signal.addEventListener('abort', () => reject(signal.reason)),
      );
      gone.catch(() => {});
      const [first = '', ...others] = pace.sentences;
      await Promise.race([pace.begins, gone]);
      yield { text: first };
      await Promise.race([pace.until, gone]);
      for (const text of others) yield { text };
    },
  };
  return { pace, writer };
}

/**
 * Starts a server behind a proxy that ends TLS, with workers, a channel that takes calls, and Twilio's API beside it.
 */
export async function openVoiceServer(settings: Readonly<Record<string, unknown>> = {}, environment = {}) {
  const { pace, writer } = pacedWriter();
  const twilio = await createEmulator({
    service: 'twilio',
    port: 0,
    seed: { twilio: { phone_numbers: [{ phone_number: number }] } },
  });
  afterAll(() => twilio.close());
  const server = await openTestServer({
    runtime: {
      environment: { ALLOW_PRIVATE_CHANNELS: 'true', PUBLIC_URL: 'https://voice.example', ...environment },
      connectors,
    },
    alter: () => ({ writer }),
  });
  await server.app.listen({ host: '127.0.0.1', port: 0 });
  const address = `http://127.0.0.1:${portSchema.parse(server.app.server.address()).port}`;
  const { runtime } = server;
  const stops = await Promise.all([runAnswerWorker(runtime), runDeliverWorker(runtime)]);
  afterAll(() => Promise.all(stops.map((stop) => stop())));
  const workspace = await server.makeWorkspace();
  const document = await runtime.documents.add({
    workspaceId: workspace.id,
    bytes: Buffer.from('# Opening hours\n\nThe shop is open from 9:00 to 17:00. On Sundays it is closed.'),
    url: 'https://shop.example/hours',
  });
  await ingestDocument({ ...runtime, database: runtime.database.kysely }, document.id);
  const added = await server.operate('POST', `/workspaces/${workspace.id}/channels`, {
    channel: 'voice',
    name: 'Telephone',
    credentials: voiceCredentials,
    settings: { from: number, api_base_url: twilio.url, verify: false, ...settings },
  });
  const channel = channelSchema.parse(added.json());
  const authToken = voiceCredentials.auth_token;
  let calls = 0;
  return {
    ...server,
    address,
    channel,
    workspace,
    pace,
    call(fields: Readonly<Record<string, string>> = {}, token = authToken) {
      calls += 1;
      const line = { address, webhookUrl: channel.webhook_url, authToken: token, fields };
      return new PhoneCall(`CA${String(calls).padStart(8, '0')}`, line);
    },
    /** Returns the messages sent by SMS, with their receivers. */
    async sent() {
      const { account_sid } = voiceCredentials;
      const basic = Buffer.from(`${account_sid}:${authToken}`).toString('base64');
      const response = await fetch(`${twilio.url}/2010-04-01/Accounts/${account_sid}/Messages.json`, {
        headers: { authorization: `Basic ${basic}` },
      });
      return messagesSchema.parse(await response.json()).messages;
    },
    /** Returns the messages in the conversations of a caller, in order. */
    async said(caller: string) {
      const rows = await runtime.database.kysely
        .selectFrom('message')
        .innerJoin('conversation', 'conversation.id', 'message.conversation_id')
        .select(['message.role', 'message.content'])
        .where('conversation.session_id', 'like', `%:${caller}/%`)
        .orderBy('message.created_at')
        .orderBy('message.position')
        .execute();
      return rows.map(({ role, content }) => `${role}: ${content}`);
    },
    eventually: (check: () => unknown) => vi.waitFor(check, { timeout: 25_000, interval: 30 }),
  };
}
