import { request as httpRequest, type IncomingMessage } from 'node:http';
import type { AnswerWriter } from '../../../core/contract/answer-writer.ts';
import type { Runtime } from '../../../core/runtime/runtime.ts';
import type { AppOptions } from '../../../server/app.ts';
import { WatchedStores } from '../stores/watched-stores.ts';
import type { TestRuntimeOptions } from './open-test-runtime.ts';
import { openTestServer } from './open-test-server.ts';
import { type Frame, readEvents } from './questions/read-events.ts';

interface StreamServerOptions {
  readonly app?: AppOptions;
  readonly runtime?: TestRuntimeOptions;
  /** The built-in answers when absent. */
  readonly writer?: AnswerWriter;
  readonly alter?: (runtime: Runtime) => Partial<Runtime>;
}

export const question = 'How many working days until parcels arrive?';

/** A server that listens, with a workspace whose documents hold the answer to `question`. */
export async function openStreamServer({
  app: options = {},
  runtime,
  writer,
  alter,
}: StreamServerOptions = {}) {
  const watched: WatchedStores[] = [];
  const server = await openTestServer({
    app: options,
    ...(runtime && { runtime }),
    alter(runtime) {
      const stores = new WatchedStores(runtime);
      watched.push(stores);
      const { conversations, quota } = stores;
      return { conversations, quota, writer: writer ?? null, ...alter?.(runtime) };
    },
  });
  const [stores] = watched;
  if (stores === undefined) throw new TypeError('the runtime was not altered');
  const address = await server.app.listen({ host: '127.0.0.1', port: 0 });
  const workspace = await server.makeWorkspace();
  await server.addDocument(
    workspace.id,
    'Parcels arrive within three working days.\n\nOrders can be changed until dispatch.',
  );

  const post = (fields: object = {}, init: RequestInit = {}, key = workspace.key) =>
    fetch(`${address}/v1/query/stream`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ query: question, ...fields }),
      ...init,
    });

  return {
    ...server,
    address,
    workspace,
    stores,
    post,
    /** Reads a stream to its end and returns all frames. */
    async frames(fields: object = {}, key?: string): Promise<Frame[]> {
      const { body } = await post(fields, {}, key);
      const read: Frame[] = [];
      if (body !== null) for await (const frame of readEvents(body)) read.push(frame);
      return read;
    },
    /** Opens a response without reading it, with a function to disconnect. */
    async openUnread(fields: object = {}): Promise<IncomingMessage> {
      const sent = httpRequest(`${address}/v1/query/stream`, {
        method: 'POST',
        headers: { authorization: `Bearer ${workspace.key}`, 'content-type': 'application/json' },
        agent: false,
      });
      sent.end(JSON.stringify({ query: question, ...fields }));
      return new Promise((resolve, reject) => sent.once('response', resolve).once('error', reject));
    },
    /** Returns how many messages of this month the workspace's owner has used. */
    async messagesCounted(): Promise<number> {
      const row = await server.runtime.database.kysely
        .selectFrom('owner_usage')
        .select('messages')
        .where('owner_id', '=', workspace.owner)
        .executeTakeFirst();
      return row?.messages ?? 0;
    },
    messagesOf: (conversationId: string) =>
      server.runtime.database.kysely
        .selectFrom('message')
        .select(['id', 'role', 'content', 'ended', 'confidence'])
        .where('conversation_id', '=', conversationId)
        .orderBy('position')
        .execute(),
  };
}
