import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import { z } from 'zod';

const sentSchema = z.object({ chat_id: z.int(), text: z.string() });
const hookSchema = z.object({ url: z.string(), secret_token: z.string() });

/** As much of the Bot API as one bot needs, and what it was told to send. */
export interface TelegramPlatform {
  readonly url: string;
  readonly token: string;
  /** Texts by chat, in the order in which they came. */
  readonly sent: ReadonlyMap<number, readonly string[]>;
  /** Sends whose answer was lost with the process that had asked. */
  lostAnswers(): number;
  /** Posts an update until it is taken, as Telegram does; how many times that took. */
  post(update: object): Promise<number>;
  close(): void;
}

const pauseMs = 100;

export async function startTelegramPlatform(): Promise<TelegramPlatform> {
  const sent = new Map<number, string[]>();
  const state = { lost: 0, messages: 0, hook: { url: '', secret_token: '' } };
  const methods: Readonly<Record<string, (params: unknown) => unknown>> = {
    getMe: () => ({ id: 7_000_001, is_bot: true, first_name: 'Parley', username: 'parley_bench_bot' }),
    setWebhook: (params) => {
      state.hook = hookSchema.parse(params);
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
    url: `http://127.0.0.1:${port}`,
    token: '7000001:the-token-of-the-bot',
    sent,
    lostAnswers: () => state.lost,
    async post(update) {
      for (let tries = 1; ; tries += 1) {
        const { url, secret_token } = state.hook;
        const response = await fetch(url, {
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            'x-telegram-bot-api-secret-token': secret_token,
          },
          body: JSON.stringify(update),
          signal: AbortSignal.timeout(5_000),
        }).catch(() => null);
        await response?.arrayBuffer().catch(() => null);
        if (response?.ok) return tries;
        await new Promise((resolve) => setTimeout(resolve, pauseMs));
      }
    },
    close: () => void server.close(),
  };
}
