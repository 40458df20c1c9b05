import { createHmac } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import { z } from 'zod';
import { postUntilTaken } from '../post-until-taken.ts';
import type { ChatMessage, ChatPlatform } from './chat-platform.ts';

const replySchema = z.object({ message_type: z.string(), body: z.string().default('') });

const admin = '7001';
const app = 'bench';
const secret = 'the-secret-of-the-app';
/** The ids of conversations are then as long as Intercom's. */
const firstConversation = 215_400_000_000_000;

/** The parts of Intercom that an app needs to answer in its conversations. It has no sign of typing. */
export async function startIntercomPlatform(): Promise<ChatPlatform> {
  const sent = new Map<number, string[]>();
  const parts = new Map<string, object[]>();
  const state = { lost: 0, parts: 0, hook: '' };

  const present = (id: string, conversation_parts: readonly object[] = parts.get(id) ?? []) => ({
    type: 'conversation',
    id,
    conversation_parts: { conversation_parts },
  });
  const reply = (path: string, body: unknown) => {
    const conversation = path.split('/')[2] ?? '';
    const { message_type, body: html } = replySchema.parse(body);
    const chat = Number(conversation) - firstConversation;
    if (message_type === 'comment') sent.set(chat, [...(sent.get(chat) ?? []), html]);
    state.parts += 1;
    const created_at = Math.floor(Date.now() / 1_000);
    const author = { type: 'admin', id: admin };
    const part = { id: `${state.parts}`, part_type: message_type, body: html, created_at, author };
    parts.set(conversation, [...(parts.get(conversation) ?? []), part]);
    return present(conversation, [part]);
  };
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const { url: path = '' } = request;
    const isReply = path.endsWith('/reply');
    if (isReply) {
      response.on('close', () => {
        if (!response.writableFinished) state.lost += 1;
      });
    }
    const me = { type: 'admin', id: admin, name: 'Parley', app: { id_code: app } };
    const body: unknown = await json(request).catch(() => null);
    const isRead = request.method === 'GET' && path.startsWith('/conversations/');
    const result = isReply ? reply(path, body) : isRead ? present(path.split(/[/?]/)[2] ?? '') : me;
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(result));
  };
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = z.object({ port: z.number() }).parse(server.address());
  return {
    channel: {
      channel: 'intercom',
      credentials: { access_token: 'the-token-of-the-app', client_secret: secret },
      settings: { api_base_url: `http://127.0.0.1:${port}`, buttons: false },
    },
    postTo: (webhookUrl) => {
      state.hook = webhookUrl;
    },
    sent,
    lostAnswers: () => state.lost,
    tell(message) {
      const body = JSON.stringify(notificationOf(message));
      const signature = `sha1=${createHmac('sha1', secret).update(body).digest('hex')}`;
      return postUntilTaken(() => ({ url: state.hook, headers: { 'x-hub-signature': signature }, body }));
    },
    close: () => void server.close(),
  };
}

/** The first message of a chat begins a conversation, and the others continue it. */
function notificationOf({ chat, index, text }: ChatMessage): object {
  const author = { type: 'user', id: `${chat}`, name: `Visitor ${chat}`, email: `${chat}@bench.example` };
  const body = `<p>${text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</p>`;
  const created_at = 1_790_000_000 + index;
  const isFirst = index === 1;
  const part = { type: 'conversation_part', id: `${index}`, part_type: 'comment', created_at, author, body };
  return {
    type: 'notification_event',
    app_id: app,
    id: `notif_${chat}_${index}`,
    topic: isFirst ? 'conversation.user.created' : 'conversation.user.replied',
    created_at,
    data: {
      type: 'notification_event_data',
      item: {
        type: 'conversation',
        id: `${firstConversation + chat}`,
        created_at,
        source: { type: 'conversation', id: '1', author, ...(isFirst && { body }) },
        conversation_parts: { conversation_parts: isFirst ? [] : [part] },
      },
    },
  };
}
