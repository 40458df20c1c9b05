import { z } from 'zod';
import { connectors } from '../../../connectors/registry.ts';
import type { AnswerWriter } from '../../../core/contract/answer-writer.ts';
import { VisitorRateLimit } from '../../../core/limits/visitor-rate.ts';
import type { Runtime } from '../../../core/runtime/runtime.ts';
import type { WorkspaceSettings } from '../../../core/workspaces/workspace-settings.ts';
import type { AppOptions } from '../../../server/app.ts';
import type { TestRuntimeOptions } from './open-test-runtime.ts';
import { openTestServer } from './open-test-server.ts';
import { type Frame, readEvents } from './questions/read-events.ts';

interface WidgetServerOptions {
  readonly writer?: AnswerWriter;
  readonly app?: AppOptions;
  readonly runtime?: TestRuntimeOptions;
  readonly alter?: (runtime: Runtime) => Partial<Runtime>;
}

interface Sent {
  readonly method?: 'GET' | 'POST' | 'DELETE' | 'OPTIONS';
  readonly session?: string;
  readonly origin?: string;
  readonly body?: object;
  readonly answer?: string;
  readonly signal?: AbortSignal;
}

const messageSchema = z.looseObject({ role: z.string(), content: z.string(), feedback: z.unknown() });
const historySchema = z.looseObject({
  messages: z.array(messageSchema),
  status: z.string(),
  unread: z.number(),
  answering: z.boolean(),
});

const many = 1_000_000;
const plenty = {
  asksOfVisitor: many,
  asksOfAddress: many,
  easyAsksOfAddress: many,
  easyAsksOfWorkspace: many,
  readsOfAddress: many,
  filesOfAddress: many,
};

/** Starts a server with a workspace that has a widget; visitors may call as often as a test needs. */
export async function openWidgetServer({ writer, app, runtime, alter }: WidgetServerOptions = {}) {
  const server = await openTestServer({
    runtime: { connectors, ...runtime },
    ...(app && { app }),
    alter: (opened) => ({
      writer: writer ?? null,
      visitorRate: new VisitorRateLimit({ ...opened, database: opened.database.kysely, rates: plenty }),
      ...alter?.(opened),
    }),
  });
  const address = await server.app.listen({ host: '127.0.0.1', port: 0 });
  return {
    ...server,
    address,
    async openShop(settings: object = {}, workspace: WorkspaceSettings = {}, channel = 'widget') {
      const shop = await server.makeWorkspace({ settings: workspace, plan: 'growth' });
      await addAgent(server.runtime, shop.owner);
      const added = await server.operate('POST', `/workspaces/${shop.id}/channels`, { channel, settings });
      await server.addDocument(
        shop.id,
        'Parcels arrive within three working days.\n\nOrders can be changed until dispatch.',
      );
      const base = `${address}/widget/${shop.publicToken}`;
      const send = (path: string, { method = 'GET', session, origin, body, answer, signal }: Sent = {}) =>
        fetch(`${base}${path}`, {
          method,
          headers: {
            ...(session !== undefined && { authorization: `Bearer ${session}` }),
            ...(origin !== undefined && { origin }),
            ...(answer !== undefined && { 'challenge-answer': answer }),
            ...(body !== undefined && { 'content-type': 'application/json' }),
          },
          ...(body !== undefined && { body: JSON.stringify(body) }),
          ...(signal && { signal }),
        });
      return {
        ...shop,
        base,
        channelId: String(added.json().id),
        send,
        async openSession(body: object = {}): Promise<string> {
          const opened = await send('/session', { method: 'POST', body });
          return z.object({ session: z.string() }).parse(await opened.json()).session;
        },
        async say(session: string, query: string, path = '/ask'): Promise<Frame[]> {
          const { body } = await send(path, { method: 'POST', session, body: { query } });
          const frames: Frame[] = [];
          if (body !== null) for await (const frame of readEvents(body)) frames.push(frame);
          return frames;
        },
        /** Replies as a person of the team. */
        async reply(conversationId: unknown, content: string) {
          return server.operate('POST', `/workspaces/${shop.id}/conversations/${conversationId}/reply`, {
            content,
            author_email: 'ada.lovelace@shop.example',
          });
        },
        async history(session: string) {
          return historySchema.parse(await (await send('/messages?limit=100', { session })).json());
        },
      };
    },
  };
}

/** Makes the person whom `reply` names a member, so that visitors see their name. */
async function addAgent({ database, clock }: Runtime, ownerId: string): Promise<void> {
  const id = 'per_ada';
  await database.kysely
    .insertInto('person')
    .values({ id, email: 'ada.lovelace@shop.example', name: 'Ada Lovelace', email_verified: true })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  await database.kysely
    .insertInto('membership')
    .values({ person_id: id, owner_id: ownerId, role: 'agent', workspace_ids: null, created_at: clock.now() })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}
