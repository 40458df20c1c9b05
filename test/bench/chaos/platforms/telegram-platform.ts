import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import { z } from 'zod';
import { postUntilTaken } from '../post-until-taken.ts';
import type { ChatPlatform } from './chat-platform.ts';

const sentSchema = z.object({ chat_id: z.int(), text: z.string() });
const actionSchema = z.object({ chat_id: z.int() });
const hookSchema = z.object({ url: z.string(), secret_token: z.string() });

interface Options {
  readonly botId?: number;
  readonly settings?: Readonly<Record<string, unknown>>;
  /** True if sent messages get no answer. */
  readonly silent?: boolean;
}

/** The parts of the Bot API that one bot needs. */
export async function startTelegramPlatform({
  botId = 7_000_001,
  settings = {},
  silent = false,
}: Options = {}): Promise<ChatPlatform> {
  const sent = new Map<number, string[]>();
  const typing = new Map<number, number>();
  const state = { lost: 0, messages: 0, hook: { url: '', secret_token: '' } };
  const methods: Readonly<Record<string, (params: unknown) => unknown>> = {
    getMe: () => ({ id: botId, is_bot: true, first_name: 'Parley', username: 'parley_bench_bot' }),
    setWebhook: (params) => {
      state.hook = hookSchema.parse(params);
      return true;
    },
    sendChatAction: (params) => {
      typing.set(actionSchema.parse(params).chat_id, performance.now());
      return true;
    },
    sendMessage: (params) => {
      const { chat_id: chat, text } = sentSchema.parse(params);
      sent.set(chat, [...(sent.get(chat) ?? []), text]);
      state.messages += 1;
      return { message_id: state.messages, date: 1_790_000_000, chat: { id: chat, type: 'private' }, text };
    },
  };
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const method = request.url?.split('/').at(-1) ?? '';
    const params: unknown = await json(request).catch(() => ({}));
    if (silent && method === 'sendMessage') return;
    const result = methods[method]?.(params) ?? true;
    if (method === 'sendMessage') {
      response.on('close', () => {
        if (!response.writableFinished) state.lost += 1;
      });
    }
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ ok: true, result }));
  };
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = z.object({ port: z.number() }).parse(server.address());
  return {
    channel: {
      channel: 'telegram',
      credentials: { bot_token: `${botId}:the-token-of-the-bot` },
      settings: { mode: 'webhook', api_base_url: `http://127.0.0.1:${port}`, ...settings },
    },
    // Telegram was told by the installation itself.
    postTo: () => {},
    sent,
    typing,
    lostAnswers: () => state.lost,
    tell({ chat, index, text }) {
      const update = {
        update_id: chat * 1_000 + index,
        message: {
          message_id: index,
          date: 1_790_000_000 + index,
          from: { id: chat, is_bot: false, first_name: `Visitor ${chat}`, language_code: 'en' },
          chat: { id: chat, type: 'private', first_name: `Visitor ${chat}` },
          text,
        },
      };
      return postUntilTaken(() => ({
        url: state.hook.url,
        headers: { 'x-telegram-bot-api-secret-token': state.hook.secret_token },
        body: JSON.stringify(update),
      }));
    },
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
