import { z } from 'zod';
import type { ConversationRef, Json } from '../../../../core/contract/account.ts';
import type { AnyConnector, Channel } from '../../../../core/contract/connector.ts';
import { ConnectorError } from '../../../../core/contract/connector-error.ts';
import type { EarlierMessage, SenderProfile } from '../../../../core/contract/facets.ts';
import type { InboundEvent, Sender } from '../../../../core/contract/inbound.ts';
import type { Budget, OutboundPart, Reply, ReplyLimits } from '../../../../core/contract/outbound.ts';
import { fakeAbout } from './about.ts';

const nativeSchema = z.object({
  id: z.string(),
  chat: z.string(),
  from: z.string().default('ann'),
  text: z.string().default(''),
  kind: z.enum(['person', 'machine', 'self']).default('person'),
  addressed: z.union([z.boolean(), z.literal('joined')]).default(true),
  command: z.enum(['start', 'human', 'help', 'more']).nullable().default(null),
  file: z.boolean().default(false),
  parked: z.string().nullable().default(null),
  isComplete: z.literal(true).optional(),
  /** An event other than a message, about the one with this id. */
  event: z
    .enum([
      'message-edited',
      'message-deleted',
      'person-replied',
      'opened',
      'account-lost',
      'claimed',
      'open',
      'resolved',
      'unreachable',
      'related',
    ])
    .optional(),
  about: z.string().default(''),
  feedback: z
    .object({
      on: z.string().nullable(),
      value: z.enum(['up', 'down']).nullable(),
      comment: z.string().nullable().default(null),
    })
    .optional(),
});

export type FakeMessage = z.input<typeof nativeSchema>;

export interface SentPart {
  readonly chat: string;
  readonly text: string;
}

interface ShownDraft {
  readonly chat: string;
  readonly texts: string[];
  ended: 'sent' | 'discarded' | null;
}

const contentSchema = z.object({ text: z.string() });
const partLength = 60;

/** A channel whose platform is an array: the test decides about each message. */
export function fakeChannel(kind = 'fake', replyLimits?: ReplyLimits) {
  const sent: SentPart[] = [];
  const welcomed: string[] = [];
  const drafts: ShownDraft[] = [];
  const replies: Reply[] = [];
  const platform = {
    sent,
    /** The rendered replies, also if they were not sent. */
    replies,
    /**
     * Returns the messages in a chat before the first to the bot, and a person's profile, as the platform reports
     * them.
     */
    earlierIn: async (_chat: string): Promise<readonly EarlierMessage[]> => [],
    introduce: async (_id: string): Promise<SenderProfile> => ({ name: null, email: null, language: null }),
    /** Runs before a part counts as sent: throw to refuse it, wait to hold it up. */
    sending: async (_part: SentPart): Promise<void> => {},
    /** Runs before it tells which parts it was sent: throw if it cannot tell. */
    remembering: async (): Promise<void> => {},
    budgetsOf: (_chat: string): readonly Budget[] => [{ key: 'chat', everyMs: 0, burst: 1 }],
    typing: 0,
    welcomed,
    /**
     * Whether answers are shown while they are generated, the texts shown for each, and whether they may be replaced.
     */
    streams: false,
    drafts,
    replaceable: true,
  };
  const channel: Channel = {
    intake: 'webhook',
    webhook: null,
    listen: null,
    probe: async () => ({}),
    normalise: (native) => [eventOf(native)],
    render: (reply) => {
      replies.push(reply);
      return partsOf(reply.text);
    },
    async deliver({ content }, to) {
      const part = { chat: to.lane, text: contentSchema.parse(content).text };
      await platform.sending(part);
      sent.push(part);
      return { messageId: `m${sent.length}` };
    },
    budgets: ({ lane }) => platform.budgetsOf(lane),
    startConversation: ({ key }) => ({
      to: { lane: `begun:${key}`, address: { chat: key } },
      remember: [],
    }),
    streaming: {
      everyMs: 20,
      applies: () => platform.streams,
      async begin({ text, to }) {
        drafts.push({ chat: to.lane, texts: [text], ended: null });
        return { state: drafts.length - 1 };
      },
      async show({ draft, text }) {
        drafts[Number(draft.state)]?.texts.push(text);
        return draft;
      },
      async end({ draft, part: { content }, to }) {
        const one = drafts[Number(draft.state)];
        if (one === undefined || !platform.replaceable) {
          throw new ConnectorError('It was deleted.', { advice: { retry: 'never' } });
        }
        one.ended = 'sent';
        sent.push({ chat: to.lane, text: contentSchema.parse(content).text });
        return { messageId: `m${sent.length}` };
      },
      async discard({ state }) {
        const one = drafts[Number(state)];
        if (one !== undefined) one.ended = 'discarded';
      },
    },
    async findSent({ part: { content }, to }) {
      await platform.remembering();
      const { text } = contentSchema.parse(content);
      return sent.flatMap((part, index) =>
        part.chat === to.lane && part.text === text ? [{ messageId: `m${index + 1}` }] : [],
      );
    },
    fetchThreadContext: ({ to }) => platform.earlierIn(to.lane),
    fetchSenderProfile: ({ id }) => platform.introduce(id),
    async welcome({ lane }) {
      platform.welcomed.push(lane);
    },
    typing: {
      lastsMs: 5_000,
      async show() {
        platform.typing += 1;
      },
    },
  };
  const connector: AnyConnector = {
    about: { ...fakeAbout, ...(kind === 'email' && { isMailbox: true }) },
    manifest: {
      contract: 1,
      channel: kind,
      credentials: z.unknown(),
      settings: z.unknown(),
      limits: { textChars: partLength },
      ...(replyLimits && { replyLimits }),
    },
    open: () => channel,
  };
  return { platform, connector };
}

/** The connector with other members in all its channels. */
export function withMembers(connector: AnyConnector, members: Partial<Channel>): AnyConnector {
  return { ...connector, open: (account) => ({ ...connector.open(account), ...members }) };
}

/** Returns the delivery of a message as the product stores it. */
export function deliveryOf(message: FakeMessage, settleMs?: number) {
  const native: Json = z.json().parse(message);
  return { id: message.id, lane: message.chat, native, ...(settleMs !== undefined && { settleMs }) };
}

function partsOf(text: string): readonly OutboundPart[] {
  const parts = text.match(new RegExp(`[\\s\\S]{1,${partLength}}`, 'gu')) ?? [''];
  return parts.map((part) => ({ content: { text: part } }));
}

function eventOf(native: Json): InboundEvent {
  const read = nativeSchema.safeParse(native);
  if (!read.success) return { type: 'unsupported', nativeType: 'unknown' };
  const { id, chat, from, text, kind, addressed, command, file, parked, isComplete, event, about, feedback } =
    read.data;
  const conversation: ConversationRef = { lane: chat, address: { chat } };
  const sender: Sender = { id: from, name: from, email: null, phone: null, language: null, kind };
  const said = { conversation, sender, sentAt: new Date(0), messageId: about || id };
  if (feedback !== undefined) {
    const { on, value, comment } = feedback;
    return { type: 'feedback', ...said, messageId: on, value, comment };
  }
  switch (event) {
    case 'message-edited':
    case 'person-replied':
      return { ...said, type: event, text };
    case 'message-deleted':
      return { ...said, type: event };
    case 'opened':
      return { type: event, conversation, sender };
    case 'account-lost':
      return { type: event, because: text };
    case 'claimed':
    case 'open':
    case 'resolved':
      return { type: 'status-changed', conversation, status: event, by: from };
    case 'unreachable':
      return { type: 'reachable', conversation, reachable: false };
    case 'related':
      return { type: event, lane: about };
  }
  return {
    ...said,
    type: 'message',
    text,
    attachments: file
      ? [{ kind: 'image', name: null, contentType: 'image/png', bytes: 10, reference: 'f1' }]
      : [],
    addressed,
    command,
    parked,
    ...(isComplete && { isComplete }),
  };
}
