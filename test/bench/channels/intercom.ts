import { createHmac } from 'node:crypto';
import { z } from 'zod';
import type { ChannelDemo, DemoPlatform, Said } from './channel-demo.ts';
import { HeardBook } from './heard-book.ts';
import { postUntilTaken } from './post-until-taken.ts';
import { servePlatform } from './serve-platform.ts';

const replySchema = z.object({ message_type: z.string(), body: z.string().default('') });

const admin = '7001';
const app = 'bench';
const clientSecret = 'the-secret-of-the-app';
/** So that a conversation is told from a chat of another platform. */
const firstConversation = 215_400_000_000_000;

export const intercomDemo: ChannelDemo = { channel: 'intercom', start };

/** As much of Intercom as an app needs that answers in its conversations. It has no sign of typing. */
async function start(): Promise<DemoPlatform> {
  const heard = new HeardBook();
  const state = { lost: 0, parts: 0, hook: '' };
  const reply = (path: string, body: unknown) => {
    const conversation = path.split('/')[2] ?? '';
    const { message_type, body: html } = replySchema.parse(body);
    if (message_type === 'comment') heard.answer(Number(conversation) - firstConversation, html);
    state.parts += 1;
    const conversation_parts = { conversation_parts: [{ id: `${state.parts}` }] };
    return { type: 'conversation', id: conversation, conversation_parts };
  };
  const { url, close } = await servePlatform(({ path, body }, response) => {
    if (path === '/me') return { type: 'admin', id: admin, name: 'Parley', app: { id_code: app } };
    response.on('close', () => {
      if (!response.writableFinished) state.lost += 1;
    });
    return reply(path, body);
  });
  return {
    account: {
      credentials: { access_token: 'the-token-of-the-app', client_secret: clientSecret },
      settings: { api_base_url: url, buttons: false },
    },
    connect: async ({ webhookUrl }) => {
      state.hook = webhookUrl ?? '';
      await fetch(state.hook, { method: 'HEAD' });
    },
    say(said) {
      const body = JSON.stringify(notificationOf(said));
      const signature = `sha1=${createHmac('sha1', clientSecret).update(body).digest('hex')}`;
      const headers = { 'content-type': 'application/json', 'x-hub-signature': signature };
      return postUntilTaken(state.hook, { headers, body });
    },
    heardBy: (chat) => heard.of(chat),
    lostAnswers: () => state.lost,
    close,
  };
}

function notificationOf({ chat, index, text }: Said): object {
  const author = { type: 'user', id: `${chat}`, name: `Visitor ${chat}`, email: `${chat}@bench.example` };
  const body = `<p>${text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</p>`;
  const created_at = 1_790_000_000 + index;
  const part = { type: 'conversation_part', id: `${chat}${index}`, part_type: 'comment', created_at, author };
  const isFirst = index === 1;
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
        source: { type: 'conversation', id: '1', author, body: isFirst ? body : '<p></p>' },
        conversation_parts: { conversation_parts: isFirst ? [] : [{ ...part, body }] },
      },
    },
  };
}
