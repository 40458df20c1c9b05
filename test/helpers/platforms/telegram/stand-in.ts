import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import { afterAll } from 'vitest';
import { z } from 'zod';
import { readTelegramHtml } from './html.ts';
import { faultOfCall } from './spec.ts';

type Parameters = Readonly<Record<string, unknown>>;

interface Refusal {
  readonly code: number;
  readonly description: string;
  readonly parameters?: object;
}

export interface SentMessage {
  readonly chat: number;
  readonly messageId: number;
  readonly text: string;
  readonly params: Parameters;
}

/** The fault of the next call of a method. */
export type Trouble =
  | { readonly kind: 'limited'; readonly retryAfter: number }
  | { readonly kind: 'blocked' }
  | { readonly kind: 'cannot-parse' }
  | { readonly kind: 'migrated'; readonly to: number }
  | { readonly kind: 'out-of-order' }
  | { readonly kind: 'garbled' }
  /** A proxy answers in its place. */
  | { readonly kind: 'intercepted' }
  | { readonly kind: 'forbidden-on-the-way' }
  | { readonly kind: 'silent' }
  /** The connection ends before, or after, the request was carried out. */
  | { readonly kind: 'cut-before' }
  | { readonly kind: 'cut-after' };

const troubles: Readonly<Record<string, (trouble: Trouble) => Refusal>> = {
  limited: (trouble) => {
    const seconds = trouble.kind === 'limited' ? trouble.retryAfter : 0;
    const description = `Too Many Requests: retry after ${seconds}`;
    return { code: 429, description, parameters: { retry_after: seconds } };
  },
  blocked: () => ({ code: 403, description: 'Forbidden: bot was blocked by the user' }),
  'cannot-parse': () => bad("can't parse entities: Unsupported start tag"),
  migrated: (trouble) => ({
    ...bad('group chat was upgraded to a supergroup chat'),
    parameters: { migrate_to_chat_id: trouble.kind === 'migrated' ? trouble.to : 0 },
  }),
  'out-of-order': () => ({ code: 500, description: 'Internal Server Error' }),
};

const sendSchema = z.object({
  chat_id: z.int(),
  text: z.string(),
  parse_mode: z.literal('HTML').optional(),
  message_thread_id: z.int().optional(),
});
const placeSchema = z.object({ chat_id: z.int(), message_id: z.int() });
const editSchema = sendSchema.extend({ message_id: z.int() });
const pollSchema = z.object({ offset: z.int().default(0), timeout: z.int().default(0) });
const hookSchema = z.object({ url: z.string(), secret_token: z.string().default('') });

const MAX_CHARACTERS = 4_096;
const MAX_FILE = 20_000_000;

/** Starts a Bot API server on a free port, with one bot; stopped after the test file. */
export async function openTelegramStandIn() {
  const bot = { id: 7_000_001, is_bot: true, first_name: 'Parley', username: 'parley_test_bot' };
  const token = `${bot.id}:the-secret-key-of-the-bot`;
  const chats = new Set<number>();
  const calls: { method: string; params: Parameters }[] = [];
  const sent: SentMessage[] = [];
  const waiting = new Map<string, Trouble[]>();
  /** The files by their ids. */
  const files = new Map<string, string | Uint8Array>();
  let updates: { update_id: number }[] = [];
  let hook: z.infer<typeof hookSchema> | null = null;
  let endPoll = (_refusal: Refusal | null): void => {};
  let changed = Promise.withResolvers<void>();

  const methods: Readonly<Record<string, (params: Parameters) => unknown>> = {
    getMe: () => ({ ...bot, can_join_groups: true, can_read_all_group_messages: false }),
    getUpdates: async (params) => {
      if (hook !== null) {
        throw refused(
          409,
          "Conflict: can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first",
        );
      }
      const { offset, timeout } = pollSchema.parse(params);
      endPoll({
        code: 409,
        description:
          'Conflict: terminated by other getUpdates request; make sure that only one bot instance is running',
      });
      updates = updates.filter(({ update_id }) => update_id >= offset);
      if (updates.length === 0 && timeout > 0) {
        const ended = new Promise<Refusal | null>((resolve) => {
          endPoll = resolve;
        });
        const timer = setTimeout(() => endPoll(null), timeout * 1_000);
        const refusal = await ended;
        clearTimeout(timer);
        if (refusal !== null) throw new RefusedCall(refusal);
      }
      return updates.slice(0, 100);
    },
    setWebhook: (params) => {
      hook = hookSchema.parse(params);
      return true;
    },
    deleteWebhook: () => {
      hook = null;
      return true;
    },
    setMyCommands: () => true,
    getFile: ({ file_id: id }) => {
      const body = files.get(String(id));
      if (body === undefined)
        throw new RefusedCall(bad('wrong file_id or the file is temporarily unavailable'));
      if (body.length > MAX_FILE) throw new RefusedCall(bad('file is too big'));
      return { file_id: id, file_unique_id: 'A', file_size: body.length, file_path: `files/${id}.bin` };
    },
    answerCallbackQuery: () => true,
    sendChatAction: (params) => chats.has(Number(params.chat_id)) || fail(bad('chat not found')),
    sendMessage: (params) => {
      const { chat_id: chat, message_thread_id: topic, ...content } = sendSchema.parse(params);
      if (!chats.has(chat)) throw new RefusedCall(bad('chat not found'));
      if (topic === 1) throw new RefusedCall(bad('message thread not found'));
      const text = visible(content);
      const messageId = sent.length + 1_001;
      sent.push({ chat, messageId, text, params });
      return {
        message_id: messageId,
        date: 1_790_000_000,
        chat: { id: chat, type: 'private' },
        from: bot,
        text,
      };
    },
    sendPhoto: (params) => sendFile(params, 'photo'),
    sendDocument: (params) => sendFile(params, 'document'),
    deleteMessage: (params) => {
      const { chat_id: chat, message_id: messageId } = placeSchema.parse(params);
      const index = sent.findIndex((one) => one.chat === chat && one.messageId === messageId);
      if (index === -1) throw new RefusedCall(bad('message to delete not found'));
      sent.splice(index, 1);
      return true;
    },
    editMessageText: (params) => {
      const { chat_id: chat, message_id: messageId, ...content } = editSchema.parse(params);
      const index = sent.findIndex((one) => one.chat === chat && one.messageId === messageId);
      const before = sent[index];
      if (before === undefined) throw new RefusedCall(bad('message to edit not found'));
      const text = visible(content);
      if (text === before.text) {
        const same = 'specified new message content and reply markup are exactly the same';
        throw new RefusedCall(bad(`message is not modified: ${same}`));
      }
      sent[index] = { ...before, text, params };
      return { message_id: messageId, date: 1_790_000_000, chat: { id: chat, type: 'private' }, text };
    },
  };

  /** Telegram fetches the file itself; here its link stands for it. */
  function sendFile(params: Record<string, unknown>, field: 'photo' | 'document') {
    const chat = Number(params.chat_id);
    if (!chats.has(chat)) throw new RefusedCall(bad('chat not found'));
    const text = `${String(params.caption)} ${String(params[field])}`;
    const messageId = sent.length + 1_001;
    sent.push({ chat, messageId, text, params });
    return { message_id: messageId, date: 1_790_000_000, chat: { id: chat, type: 'private' } };
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [, shown, method = ''] = /^\/bot([^/]*)\/(\w+)$/.exec(request.url ?? '') ?? [];
    const params = z.record(z.string(), z.unknown()).parse(await json(request));
    calls.push({ method, params });
    wake();
    const trouble = waiting.get(method)?.shift();
    if (trouble?.kind === 'silent') return;
    if (trouble?.kind === 'cut-before') return void request.socket.destroy();
    if (trouble?.kind === 'garbled') return void response.writeHead(502).end('<html>Bad Gateway</html>');
    if (trouble?.kind === 'intercepted') return void response.writeHead(200).end('<html>Log in</html>');
    if (trouble?.kind === 'forbidden-on-the-way')
      return void response.writeHead(403).end('<html>Blocked by policy</html>');
    const result = await outcomeOf(shown, { method, params, trouble });
    if (trouble?.kind === 'cut-after') return void request.socket.destroy();
    const status = result instanceof RefusedCall ? result.refusal.code : 200;
    const body = result instanceof RefusedCall ? bodyOf(result.refusal) : { ok: true, result };
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  }

  /** Sends the file at an address; false if there is none. */
  function hand({ url = '' }: IncomingMessage, response: ServerResponse): boolean {
    const [, shown, id] = /^\/file\/bot([^/]*)\/files\/(.*)\.bin$/.exec(url) ?? [];
    if (id === undefined) return false;
    const body = shown === token ? files.get(id) : undefined;
    response.writeHead(body === undefined ? 404 : 200, { 'content-type': 'application/octet-stream' });
    response.end(body);
    return true;
  }

  async function outcomeOf(
    shown: string | undefined,
    { method, params, trouble }: { method: string; params: Parameters; trouble: Trouble | undefined },
  ): Promise<unknown> {
    try {
      if (!/^\d+:[\w-]+$/.test(shown ?? '')) throw refused(404, 'Not Found');
      if (shown !== token) throw refused(401, 'Unauthorized');
      const run = methods[method];
      if (run === undefined) throw refused(404, 'Not Found: method not found');
      const fault = faultOfCall(method, params);
      if (fault !== null) throw new RefusedCall(bad(fault));
      const refusal = trouble && troubles[trouble.kind]?.(trouble);
      if (refusal !== undefined) throw new RefusedCall(refusal);
      return await run(params);
    } catch (error) {
      if (error instanceof RefusedCall) return error;
      throw error;
    }
  }

  function wake(): void {
    changed.resolve();
    changed = Promise.withResolvers();
  }

  /** Posts until the update is accepted, as Telegram does. */
  async function post(update: object, to: z.infer<typeof hookSchema>): Promise<number> {
    for (let attempt = 1; ; attempt += 1) {
      const response = await fetch(to.url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-telegram-bot-api-secret-token': to.secret_token },
        body: JSON.stringify(update),
      });
      if (response.ok || attempt === 5) return response.status;
    }
  }

  const server = createServer((request, response) => {
    if (!hand(request, response)) void answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new TypeError('no port');
  afterAll(() => {
    endPoll(null);
    server.closeAllConnections();
    server.close();
  });

  return {
    url: `http://127.0.0.1:${address.port}`,
    token,
    bot,
    /** Those that the bot may write to. */
    chats,
    calls,
    sent,
    files,
    /** Where it posts now. */
    hook: () => hook,
    trouble: (method: string, ...next: Trouble[]) => void waiting.set(method, next),
    /** Posts an update, or keeps it until the bot asks for it. */
    async tell(...told: { update_id: number }[]): Promise<void> {
      if (hook === null) {
        updates.push(...told);
        endPoll(null);
      } else for (const update of told) await post(update, hook);
    },
    /** Resolves when a method was called this many times in all. */
    async until(method: string, count: number): Promise<void> {
      while (calls.filter((call) => call.method === method).length < count) await changed.promise;
    },
  };
}

class RefusedCall extends Error {
  readonly refusal: Refusal;

  constructor(refusal: Refusal) {
    super(refusal.description);
    this.refusal = refusal;
  }
}

function refused(code: number, description: string): RefusedCall {
  return new RefusedCall({ code, description });
}

function fail(refusal: Refusal): never {
  throw new RefusedCall(refusal);
}

function bad(words: string): Refusal {
  return { code: 400, description: `Bad Request: ${words}` };
}

function bodyOf({ code, description, parameters }: Refusal): object {
  return { ok: false, error_code: code, description, ...(parameters && { parameters }) };
}

/** Returns the visible text; refuses the markup that Telegram refuses. */
function visible({ text, parse_mode }: { text: string; parse_mode?: 'HTML' | undefined }): string {
  const read = parse_mode === 'HTML' ? readTelegramHtml(text) : { text };
  if ('fault' in read) throw new RefusedCall(bad(`can't parse entities: ${read.fault}`));
  const shown = read.text.trim();
  if (shown === '') throw new RefusedCall(bad('message text is empty'));
  if (shown.length > MAX_CHARACTERS) throw new RefusedCall(bad('message is too long'));
  return shown;
}
