import { z } from 'zod';
import type { ChannelDemo, DemoPlatform } from './channel-demo.ts';
import { HeardBook } from './heard-book.ts';
import { postUntilTaken } from './post-until-taken.ts';
import { servePlatform } from './serve-platform.ts';

const sentSchema = z.object({ chat_id: z.int(), text: z.string() });
const actionSchema = z.object({ chat_id: z.int() });
const hookSchema = z.object({ url: z.string(), secret_token: z.string() });

export const telegramDemo: ChannelDemo = { channel: 'telegram', start };

/** As much of the Bot API as one bot needs. */
async function start(): Promise<DemoPlatform> {
  const heard = new HeardBook();
  const state = { lost: 0, messages: 0, hook: { url: '', secret_token: '' } };
  const methods: Readonly<Record<string, (params: unknown) => unknown>> = {
    getMe: () => ({ id: 7_000_001, is_bot: true, first_name: 'Parley', username: 'parley_bench_bot' }),
    setWebhook: (params) => {
      state.hook = hookSchema.parse(params);
      return true;
    },
    sendChatAction: (params) => {
      heard.typing(actionSchema.parse(params).chat_id);
      return true;
    },
    sendMessage: (params) => {
      const { chat_id: chat, text } = sentSchema.parse(params);
      heard.answer(chat, text);
      state.messages += 1;
      return { message_id: state.messages, date: 1_790_000_000, chat: { id: chat, type: 'private' }, text };
    },
  };
  const { url, close } = await servePlatform(({ path, body }, response) => {
    const method = path.split('/').at(-1) ?? '';
    if (method === 'sendMessage') {
      response.on('close', () => {
        if (!response.writableFinished) state.lost += 1;
      });
    }
    return { ok: true, result: methods[method]?.(body) ?? true };
  });
  return {
    account: {
      credentials: { bot_token: '7000001:the-token-of-the-bot' },
      settings: { mode: 'webhook', api_base_url: url },
    },
    // The hub tells Telegram itself where to post.
    connect: async () => {},
    say: ({ chat, index, text }) =>
      postUntilTaken(state.hook.url, {
        headers: {
          'content-type': 'application/json',
          'x-telegram-bot-api-secret-token': state.hook.secret_token,
        },
        body: JSON.stringify({
          update_id: chat * 1_000 + index,
          message: {
            message_id: index,
            date: 1_790_000_000 + index,
            from: { id: chat, is_bot: false, first_name: `Visitor ${chat}`, language_code: 'en' },
            chat: { id: chat, type: 'private', first_name: `Visitor ${chat}` },
            text,
          },
        }),
      }),
    heardBy: (chat) => heard.of(chat),
    lostAnswers: () => state.lost,
    close,
  };
}
