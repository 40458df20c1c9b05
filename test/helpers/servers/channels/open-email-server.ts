import { afterAll, vi } from 'vitest';
import { z } from 'zod';
import { connectors } from '../../../../connectors/registry.ts';
import { runAnswerWorker } from '../../../../workers/answer/worker.ts';
import { runDeliverWorker } from '../../../../workers/deliver/worker.ts';
import { runListenWorker } from '../../../../workers/listen/worker.ts';
import { openTestServer } from '../open-test-server.ts';

const channelSchema = z.object({ id: z.string(), status: z.string(), profile: z.unknown().optional() });

interface MailboxOfServer {
  readonly address: string;
  readonly imapPort: number;
  readonly smtpPort: number;
  readonly password: string;
  readonly settings?: Readonly<Record<string, unknown>>;
}

/** A server with workers that reads and answers a mailbox. */
export async function openEmailServer({ address, imapPort, smtpPort, password, settings }: MailboxOfServer) {
  const environment = { ALLOW_PRIVATE_CHANNELS: 'true', PUBLIC_URL: 'http://parley.example' };
  const server = await openTestServer({ runtime: { environment, connectors } });
  const { runtime } = server;
  const stops = await Promise.all([
    runAnswerWorker(runtime),
    runDeliverWorker(runtime),
    runListenWorker(runtime),
  ]);
  afterAll(() => Promise.all(stops.map((stop) => stop())));
  const workspace = await server.makeWorkspace();
  await server.addDocument(
    workspace.id,
    '# Opening hours\n\nThe shop is open on weekdays from nine to five.\n\n# Returns\n\nPlants can be returned within thirty days.',
  );
  const login = { host: '127.0.0.1', secure: false, user: address, pass: password };
  const added = await server.operate('POST', `/workspaces/${workspace.id}/channels`, {
    channel: 'email',
    name: 'Help',
    credentials: { imap: { ...login, port: imapPort }, smtp: { ...login, port: smtpPort } },
    settings: { from: address, name: 'Garden Shop', ...settings },
  });
  const query = async (text: string): Promise<Record<string, unknown>[]> =>
    (await runtime.database.pool.query(text)).rows;
  return {
    ...server,
    workspace,
    added,
    channel: channelSchema.catch({ id: '', status: '' }).parse(added.json()),
    query,
    /** Returns the messages of all conversations, a line each, the oldest conversation first. */
    conversations: async () => {
      const rows = await query(
        `select conversation.id, role, content, conversation.status from message
         join conversation on conversation.id = conversation_id order by started_at, conversation.id, position`,
      );
      const byId = Object.groupBy(rows, ({ id }) => String(id));
      return Object.values(byId).map((said = []) => said.map(({ role, content }) => `${role}: ${content}`));
    },
    notes: async () =>
      (await query('select content from note order by created_at, id')).map(({ content }) => content),
    parts: async () => query('select status, failure, author from outbound_part order by number'),
    eventually: <Seen>(check: () => Seen | Promise<Seen>) =>
      vi.waitFor(check, { timeout: 20_000, interval: 50 }),
  };
}
