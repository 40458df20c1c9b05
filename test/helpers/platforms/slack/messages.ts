import { z } from 'zod';
import { type CheckedBlock, faultOfBlocks, faultOfText } from './faults.ts';

type Params = Readonly<Record<string, string>>;

export interface PostedMessage {
  readonly channel: string;
  readonly ts: string;
  readonly thread: string | null;
  readonly text: string;
  readonly blocks: readonly CheckedBlock[];
  /** Of a stream, as it is so far. */
  readonly streamed: string;
  readonly isStreaming: boolean;
  readonly params: Params;
}

/** A message of a person, as Slack returns it. */
interface ThreadMessage {
  readonly ts: string;
  readonly [field: string]: unknown;
}

/** An error with which Slack refuses a call. */
export class SlackRefusal extends Error {
  readonly code: string;

  constructor(code: string, words = '') {
    super(words);
    this.code = code;
  }
}

const anyBlocks = z.array(z.custom<CheckedBlock>(() => true));

/** The messages of a team, and what methods do with them. */
export function slackMessages() {
  const messages: PostedMessage[] = [];
  const channels = new Map<string, 'open' | 'archived'>();
  const threads = new Map<string, readonly ThreadMessage[]>();
  const people = new Map<string, object>();
  let count = 0;

  function requireChannel(channel = ''): void {
    const state = channels.get(channel);
    if (state === undefined) throw new SlackRefusal('channel_not_found');
    if (state === 'archived') throw new SlackRefusal('is_archived');
  }

  function add(params: Params, more: Partial<PostedMessage>): PostedMessage {
    requireChannel(params.channel);
    count += 1;
    const message: PostedMessage = {
      channel: params.channel ?? '',
      ts: `${Math.floor(Date.now() / 1_000)}.${String(count).padStart(6, '0')}`,
      thread: params.thread_ts ?? null,
      text: params.text ?? '',
      blocks: blocksIn(params),
      streamed: '',
      isStreaming: false,
      params,
      ...more,
    };
    messages.push(message);
    return message;
  }

  function indexOf({ channel, ts }: Params): number {
    const index = messages.findIndex((each) => each.channel === channel && each.ts === ts);
    if (index < 0) throw new SlackRefusal('message_not_found');
    return index;
  }

  function change(
    params: Params,
    to: (message: PostedMessage) => Partial<PostedMessage>,
  ): { channel: string; ts: string } {
    requireChannel(params.channel);
    const index = indexOf(params);
    const [message] = messages.slice(index);
    if (message === undefined) throw new SlackRefusal('message_not_found');
    messages[index] = { ...message, ...to(message) };
    return { channel: message.channel, ts: message.ts };
  }

  /** Returns the bot's messages in a place, as Slack returns them. */
  function postedIn({ channel, include_all_metadata }: Params, thread: string | null): ThreadMessage[] {
    return messages
      .filter((message) => message.channel === channel && message.thread === thread)
      .map(({ ts, text, params: { metadata } }) => ({
        type: 'message',
        ts,
        text,
        user: 'U0PARLEY1',
        bot_id: 'B0PARLEY1',
        ...(thread !== null && { thread_ts: thread }),
        ...(include_all_metadata === 'true' && metadata && { metadata: JSON.parse(metadata) }),
      }));
  }

  const inStream = (message: PostedMessage) => {
    if (!message.isStreaming) throw new SlackRefusal('message_not_in_streaming_state');
    return message;
  };

  const methods: Readonly<Record<string, (params: Params) => object>> = {
    'chat.postMessage': (params) => {
      const { channel, ts } = add(params, {});
      return {
        channel,
        ts,
        message: { type: 'message', ts, text: params.text, user: 'U0PARLEY1', bot_id: 'B0PARLEY1' },
      };
    },
    'chat.update': (params) =>
      change(params, () => ({
        text: params.text ?? '',
        blocks: blocksIn(params),
        streamed: '',
        isStreaming: false,
      })),
    'chat.delete': (params) => {
      const [gone] = messages.splice(indexOf(params), 1);
      return { channel: gone?.channel, ts: gone?.ts };
    },
    'chat.startStream': (params) => {
      const { channel, ts } = add(params, { streamed: params.markdown_text ?? '', isStreaming: true });
      return { channel, ts };
    },
    'chat.appendStream': (params) =>
      change(params, (message) => ({ streamed: inStream(message).streamed + (params.markdown_text ?? '') })),
    'chat.stopStream': (params) =>
      change(params, (message) => ({
        streamed: inStream(message).streamed + (params.markdown_text ?? ''),
        blocks: blocksIn(params),
        isStreaming: false,
      })),
    'conversations.history': (params) => {
      requireChannel(params.channel);
      const { oldest = '0', limit = '100' } = params;
      const asked = postedIn(params, null).filter(({ ts }) => ts > oldest);
      return { messages: asked.toReversed().slice(0, Number(limit)), has_more: asked.length > Number(limit) };
    },
    'conversations.replies': (params) => {
      const { channel, ts = '', oldest = '0', latest = '9999999999.999999' } = params;
      const { limit = '1000', cursor = '0' } = params;
      requireChannel(channel);
      const posted = postedIn(params, ts);
      const thread = threads.get(`${channel}/${ts}`) ?? (posted.length > 0 ? [] : undefined);
      if (thread === undefined) throw new SlackRefusal('thread_not_found');
      // The first message is always included.
      const asked = [...thread, ...posted].filter(
        (message) => message.ts === ts || (message.ts > oldest && message.ts < latest),
      );
      const end = Number(cursor) + Number(limit);
      const isMore = end < asked.length;
      return {
        messages: asked.slice(Number(cursor), end),
        has_more: isMore,
        response_metadata: { next_cursor: isMore ? String(end) : '' },
      };
    },
    'users.info': ({ user = '' }) => {
      const known = people.get(user);
      if (known === undefined) throw new SlackRefusal('user_not_found');
      return { user: { id: user, ...known } };
    },
    'assistant.threads.setStatus': () => ({}),
    'assistant.threads.setSuggestedPrompts': () => ({}),
  };

  return {
    messages,
    channels,
    /** The threads by channel and the time of their first message, oldest first. */
    threads,
    /** Whom Slack knows, by id. */
    people,
    methods,
    /** Ends the streams, as Slack ends each after about five minutes. */
    endStreams(): void {
      for (const [index, message] of messages.entries()) messages[index] = { ...message, isStreaming: false };
    },
  };
}

function blocksIn({ blocks }: Params): readonly CheckedBlock[] {
  if (blocks === undefined) return [];
  const read: unknown = JSON.parse(blocks);
  const fault = faultOfBlocks(read);
  if (fault !== null) throw new SlackRefusal('invalid_blocks', fault);
  const checked = anyBlocks.parse(read);
  for (const block of checked) {
    const words = block.type === 'markdown' ? faultOfText(block.text) : null;
    if (words !== null) throw new SlackRefusal('invalid_blocks', words);
  }
  return checked;
}

/** Returns the text of a message as a reader sees it, whichever way it was sent. */
export function shownIn({ streamed, blocks, text }: PostedMessage): string {
  const markdown = blocks.flatMap((block) => (block.type === 'markdown' ? [block.text] : []));
  return [streamed, ...markdown].join('') || text;
}
