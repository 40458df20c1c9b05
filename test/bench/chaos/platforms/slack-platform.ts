import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { z } from 'zod';
import { signSlack } from '../../../helpers/platforms/slack/sign-request.ts';
import { postUntilTaken } from '../post-until-taken.ts';
import type { ChatMessage, ChatPlatform } from './chat-platform.ts';

const secret = 'the-signing-secret-of-the-app';
const team = 'T0BENCH01';

/** An event as Slack posts it, signed. */
export interface SignedEvent {
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

export interface SlackPlatform extends ChatPlatform {
  /** The event of a message: the mention that begins a thread, or a later message in it. */
  eventOf(message: ChatMessage, type?: 'app_mention' | 'message'): object;
  sign(event: object): SignedEvent;
  hook(): string;
}

interface Options {
  /** The place of a chat: direct messages, or threads of channels that some of them share. */
  readonly place: 'direct' | { readonly threadsPerChannel: number };
  /** Further settings of its channel. */
  readonly settings?: Readonly<Record<string, unknown>>;
}

type Params = Readonly<Record<string, string>>;

const blocksSchema = z.array(
  z.object({
    type: z.string(),
    text: z.unknown().optional(),
    elements: z.array(z.object({ text: z.unknown().optional() })).optional(),
  }),
);

/** The text that a reader sees of a message: its Markdown, and the lines of its sources. */
function wordsIn({ text: plain = '', markdown_text = '', blocks = '[]' }: Params): string {
  const read = blocksSchema.parse(JSON.parse(blocks));
  const own = read.flatMap(({ type, text: words }) => (type === 'markdown' ? [String(words)] : []));
  const context = read.flatMap(({ type, elements = [] }) =>
    type === 'context' ? elements.map((each) => String(each.text)) : [],
  );
  const shown = [markdown_text, ...own].join('') || (context.length > 0 ? '' : plain);
  return [shown, ...context].join('\n');
}

/** The parts of Slack that one app needs. Messages that the bot sends belong to the chat of their thread. */
export async function startSlackPlatform({ place, settings = {} }: Options): Promise<SlackPlatform> {
  const sent = new Map<number, string[]>();
  const typing = new Map<number, number>();
  const chatOf = new Map<string, number>();
  const places = new Map<string, { readonly chat: number; readonly at: number }>();
  /** The messages sent to a chat, with the metadata that identifies them. */
  const marked = new Map<number, { readonly ts: string; readonly metadata: unknown }[]>();
  const state = { lost: 0, messages: 0, hook: '' };

  const where = ({ chat }: Pick<ChatMessage, 'chat'>) =>
    place === 'direct' ? `D0BENCH${chat}` : `C0BENCH${Math.ceil(chat / place.threadsPerChannel)}`;
  const numberOf = ({ chat, index }: Pick<ChatMessage, 'chat' | 'index'>) =>
    `17900${String(index).padStart(5, '0')}.${String(chat).padStart(6, '0')}`;
  const chatIn = (channel = '', thread = '') => chatOf.get(`${channel}/${thread}`) ?? 0;
  const add = ({ channel, thread_ts, metadata }: Params, shown: string) => {
    const chat = chatIn(channel, thread_ts);
    const texts = sent.get(chat) ?? [];
    sent.set(chat, [...texts, shown]);
    state.messages += 1;
    const ts = `1790100000.${String(state.messages).padStart(6, '0')}`;
    places.set(ts, { chat, at: texts.length });
    if (metadata !== undefined)
      marked.set(chat, [...(marked.get(chat) ?? []), { ts, metadata: JSON.parse(metadata) }]);
    return { channel, ts };
  };
  const change = ({ channel, ts = '' }: Params, shownOf: (before: string) => string) => {
    const { chat, at } = places.get(ts) ?? { chat: 0, at: 0 };
    sent.set(
      chat,
      (sent.get(chat) ?? []).map((text, index) => (index === at ? shownOf(text) : text)),
    );
    return { channel, ts };
  };
  const methods: Readonly<Record<string, (params: Params) => object>> = {
    'auth.test': () => ({
      team_id: team,
      team: 'Bench',
      user_id: 'U0PARLEY1',
      user: 'parley',
      bot_id: 'B0PARLEY1',
    }),
    'assistant.threads.setStatus': ({ channel_id, thread_ts }) => {
      typing.set(chatIn(channel_id, thread_ts), performance.now());
      return {};
    },
    'chat.postMessage': (params) => add(params, wordsIn(params)),
    'conversations.replies': ({ channel, ts }) => ({ messages: marked.get(chatIn(channel, ts)) ?? [] }),
    'chat.startStream': (params) => add(params, wordsIn(params)),
    'chat.appendStream': (params) => change(params, (before) => before + wordsIn(params)),
    'chat.stopStream': (params) => change(params, (before) => before + wordsIn(params)),
    'chat.update': (params) => change(params, () => wordsIn(params)),
  };
  const sending = new Set(['chat.postMessage', 'chat.startStream']);

  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const method = request.url?.replace('/api/', '') ?? '';
    const params = Object.fromEntries(new URLSearchParams(await text(request).catch(() => '')));
    const result = methods[method]?.(params) ?? {};
    if (sending.has(method)) {
      response.on('close', () => {
        if (!response.writableFinished) state.lost += 1;
      });
    }
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ ok: true, ...result }));
  };
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = z.object({ port: z.number() }).parse(server.address());

  const sign = (event: object): SignedEvent => {
    const body = JSON.stringify(event);
    return { body, headers: signSlack(body, secret, new Date()) };
  };
  const eventOf: SlackPlatform['eventOf'] = (message, type = 'message') => {
    const { chat, index, text: words } = message;
    const ts = numberOf(message);
    const thread = place === 'direct' ? ts : numberOf({ chat, index: 1 });
    chatOf.set(`${where(message)}/${thread}`, chat);
    const isFirst = thread === ts;
    const event = {
      type,
      user: `U0VISITOR${chat}`,
      text: isFirst && place !== 'direct' ? `<@U0PARLEY1> ${words}` : words,
      ts,
      event_ts: ts,
      channel: where(message),
      team,
      ...(type === 'message' && { channel_type: place === 'direct' ? 'im' : 'channel' }),
      ...(!isFirst && { thread_ts: thread }),
    };
    return {
      type: 'event_callback',
      team_id: team,
      api_app_id: 'A0PARLEY1',
      event_id: `Ev${type}${chat}x${index}`,
      event_time: 1_790_000_000,
      authorizations: [
        {
          enterprise_id: null,
          team_id: team,
          user_id: 'U0PARLEY1',
          is_bot: true,
          is_enterprise_install: false,
        },
      ],
      event,
    };
  };
  return {
    channel: {
      channel: 'slack',
      credentials: { bot_token: 'xoxb-bench', signing_secret: secret },
      settings: { mode: 'events', api_base_url: `http://127.0.0.1:${port}`, ...settings },
    },
    postTo: (webhookUrl) => {
      state.hook = webhookUrl;
    },
    hook: () => state.hook,
    sent,
    typing,
    lostAnswers: () => state.lost,
    eventOf,
    sign,
    tell(message) {
      const event = eventOf(message, message.index === 1 && place !== 'direct' ? 'app_mention' : 'message');
      return postUntilTaken(() => ({ url: state.hook, ...sign(event) }));
    },
    close: () => void server.close(),
  };
}
