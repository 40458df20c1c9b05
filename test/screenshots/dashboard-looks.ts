import { z } from 'zod';
import type { components } from '../../server/dashboard/browser/api/api-types.ts';
import { type Dresses, moment } from './steady-hub.ts';

type Schemas = components['schemas'];
type Channel = Schemas['Channel'];
type Check = Schemas['ChannelCheck'];

const minuteMs = 60_000;
const dayMs = 1_440 * minuteMs;
const ago = (minutes: number) => new Date(moment - minutes * minuteMs).toISOString();
const dayAgo = (days: number) => new Date(moment - days * dayMs).toISOString().slice(0, 10);
const wave = (position: number) => 1 + 0.35 * Math.sin(position * 1.7);

interface Day {
  readonly heard: number;
  readonly questions: number;
  readonly replies: number;
  readonly answered: number;
  readonly profile?: Channel['profile'];
}

/** A day of each channel by its name. */
const days: Readonly<Record<string, Day>> = {
  'Pottle helper': { heard: 3, questions: 128, replies: 127, answered: 117 },
  'Shop chat': { heard: 1, questions: 342, replies: 340, answered: 311 },
  'Help page': { heard: 12, questions: 61, replies: 61, answered: 55 },
  'Trade desk': {
    heard: 26,
    questions: 44,
    replies: 44,
    answered: 41,
    profile: { team: 'Pottle & Sprig Trade' },
  },
  'Support mailbox': { heard: 8, questions: 87, replies: 84, answered: 70 },
};

const refused = 'Order line';
const refusal = 'Twilio: The access token has been revoked.';

function dressChannel(channel: Channel): Channel {
  const isRefused = channel.name === refused;
  const day = days[channel.name];
  return {
    ...channel,
    status: isRefused ? 'error' : 'connected',
    last_error: isRefused ? refusal : null,
    heard_at: ago(day?.heard ?? 64),
    profile: { ...channel.profile, ...day?.profile },
    created_at: ago(21 * 1_440),
  };
}

function dressState(state: Schemas['ChannelState'], name: string): Schemas['ChannelState'] {
  const isRefused = name === refused;
  return {
    ...state,
    ...(days[name] ?? { questions: 0, replies: 0, answered: 0 }),
    state: isRefused ? 'refused' : 'live',
    checks_done: state.checks_total,
    waiting_parts: isRefused ? 2 : 0,
    failures: 0,
  };
}

/** The checks that are not green yet. Pictures of the wizard change it. */
export const progress: { open: readonly Check['id'][] } = { open: [] };

function dressCheck({ id }: Check, position: number): Check {
  const isOpen = progress.open.includes(id);
  return { id, state: isOpen ? 'waiting' : 'done', at: isOpen ? null : ago(9 - 2 * position), detail: null };
}

const deliveries: readonly Schemas['ChannelDelivery'][] = [3, 9, 17, 24, 41, 58].flatMap(
  (minutes, position) => {
    const common = { reason: null, attempts: 1, at: ago(minutes) };
    return [
      { ...common, direction: 'out', outcome: 'sent', ms: 180 + 23 * position } as const,
      { ...common, direction: 'in', outcome: 'answered', ms: 940 + 117 * position } as const,
    ];
  },
);

/** Of the keys by name: minutes since the last use, and answers a day. */
const keyUses: Readonly<Record<string, readonly [used: number, scale: number]>> = {
  'Website search': [2, 180],
  'Order status bot': [47, 60],
  'Staff intranet': [1_500, 12],
};

const endings = ['nKxI', '7fQe', 'Zk02', 'm4Tc', 'w9Lp'];

function dressKey(wanted: Schemas['Key'], position: number): Schemas['Key'] {
  const key = { ...wanted, ending: endings[position] ?? 'r3Vd' };
  const [used, scale] = keyUses[key.name] ?? [null, 0];
  if (used === null) return key;
  const days = Array.from({ length: 30 }, (_, position) => {
    const answered = Math.round(scale * wave(position + scale) * (0.7 + position / 60));
    const errors = scale === 180 && position === 17 ? 4 : 0;
    return { day: dayAgo(29 - position), answered, low: Math.round(answered * 0.08), errors, limited: 0 };
  });
  return { ...key, days, last_used_at: ago(used), created_at: ago(34 * 1_440) };
}

/** A month of messages with quiet weekends. */
const usage = {
  plan: 'growth',
  month: '2027-04-01',
  resets_at: '2027-05-01T00:00:00.000Z',
  messages: 8_914,
  quota: 20_000,
  forecast: 13_700,
  by_channel: Object.entries({
    widget: 4_912,
    telegram: 1_736,
    email: 1_021,
    hosted: 688,
    api: 402,
    slack: 155,
  }).map(([channel, answers]) => ({ channel, answers })),
  by_day: Array.from({ length: 20 }, (_, position) => {
    const isWeekend = [0, 6].includes(new Date(moment - (19 - position) * dayMs).getUTCDay());
    return { day: dayAgo(19 - position), answers: Math.round((isWeekend ? 240 : 530) * wave(position / 2)) };
  }),
};

const tags = {
  tags: Object.entries({
    returns: [214, 9],
    delivery: [187, 12],
    warranty: [96, 4],
    'sprig-box': [71, 2],
    trade: [38, 5],
    gift: [17, 0],
  }).map(([tag, [conversations = 0, open = 0]]) => ({ tag, conversations, open })),
};

const hookDeliveries = [
  ['conversation.escalated', 'delivered', 204, 1, 11],
  ['message.created', 'delivered', 200, 1, 14],
  ['message.created', 'failed', 503, 8, 96],
  ['document.indexed', 'delivered', 200, 2, 240],
  ['conversation.resolved', 'delivered', 204, 1, 310],
].map(([event, status, code, attempts, minutes], position) => ({
  id: `evt_01kpq4s8xn5y0e7g2h3j4m609${position}`,
  event,
  status,
  webhook_id: 'hook_01kpq4s8xn5y0e7g2h3j4m6900',
  attempts,
  last_status: code,
  last_error: code === 503 ? 'Service Unavailable' : null,
  created_at: ago(Number(minutes)),
  delivered_at: status === 'delivered' ? ago(Number(minutes)) : null,
  next_attempt_at: null,
}));

type Row = Schemas['InboxRow'];

/** The channel of a conversation, and its age in minutes, by the name of the customer. */
const visits: Readonly<Record<string, readonly [channel: Row['channel'], minutes: number]>> = {
  'Ann Lee': ['widget', 12],
  'Jo Park': ['telegram', 7],
  'Samir Haddad': ['email', 31],
  'Greta Lindqvist': ['slack', 19],
  'Oskar Brandt': ['sms', 9],
  'Priya Nair': ['hosted', 44],
  'Callum Reed': ['widget', 130],
};

function dressConversation<
  One extends Pick<Row, 'channel' | 'customer' | 'waiting_since' | 'last_message_at'>,
>(conversation: One): One {
  const [channel, minutes] = visits[conversation.customer.name ?? ''] ?? [conversation.channel, 60];
  const at = ago(minutes);
  return {
    ...conversation,
    channel,
    last_message_at: at,
    waiting_since: conversation.waiting_since === null ? null : at,
  };
}

/** How many days ago each document changed, by its place in the list. */
const documentAges = [0.01, 0.1, 0.4, 0.9, 1.2, 2, 2.1, 3, 5, 6, 8, 11, 12, 14, 15, 19, 23, 30, 41, 44];

/** Entries of the audit log happened over some days. */
const entryAges = [
  4, 19, 52, 71, 118, 190, 240, 1_460, 1_530, 1_800, 2_900, 2_960, 3_100, 4_400, 5_900, 7_300,
];

/** Makes the answers of a new installation those of one in use. `names` are the channels by the ids that browsers know. */
export function makeLooks(names: ReadonlyMap<string, string>): Dresses {
  return [
    [/\/channels$/, each<Channel>('channels', dressChannel)],
    [
      /\/channel-states$/,
      (answer) => ({
        ...each<Schemas['ChannelState']>('states', (state) =>
          dressState(state, names.get(state.channel_id) ?? ''),
        )(answer),
        api: { questions: 96, replies: 96, answered: 90 },
      }),
    ],
    [
      /\/checks$/,
      (answer) => {
        const { channel } = z.looseObject({ channel: z.custom<Channel>() }).parse(answer);
        const state = progress.open.length === 0 ? 'live' : 'unproven';
        const dressed = each<Check>('checks', dressCheck)(answer);
        return { ...dressed, channel: dressChannel(channel), state, waiting_parts: 0, failures: 0 };
      },
    ],
    [/\/channels\/[^/]+\/deliveries$/, () => ({ deliveries })],
    [
      /\/webhooks\/[^/]+\/deliveries$/,
      () => ({ deliveries: hookDeliveries, pagination: { next_cursor: null } }),
    ],
    [/\/keys$/, each<Schemas['Key']>('keys', dressKey)],
    [/\/usage$/, () => usage],
    [/\/tags$/, () => tags],
    [/\/conversations$/, each<Row>('conversations', dressConversation)],
    [
      /\/conversations\/conv_\w+$/,
      (answer) => dressConversation(z.custom<Schemas['InboxConversation']>().parse(answer)),
    ],
    [
      /\/snippets$/,
      each<object>('snippets', (snippet, position) => ({
        ...snippet,
        updated_at: ago(400 + 5_100 * position),
      })),
    ],
    [
      /\/documents\/doc_\w+$/,
      (answer) => ({ ...z.looseObject({}).parse(answer), created_at: ago(9_000), updated_at: ago(4_400) }),
    ],
    [
      /\/documents$/,
      each<object>('documents', (document, position) => {
        const at = ago((documentAges[position] ?? 60) * 1_440);
        return { ...document, created_at: at, updated_at: at, indexed_at: at };
      }),
    ],
    [
      /\/audit-log$/,
      each<object>('audit_log', (entry, position) => ({ ...entry, at: ago(entryAges[position] ?? 9_000) })),
    ],
    [
      /\/members$/,
      each<object>('members', (member, position) => ({
        ...member,
        joined_at: ago((60 - 17 * position) * 1_440),
        two_factor_enabled: position < 2,
      })),
    ],
  ];
}

/** Changes each row of a list. */
function each<Row>(name: string, change: (row: Row, position: number) => Row) {
  const schema = z.looseObject({ [name]: z.array(z.custom<Row>()) });
  return (answer: unknown): Readonly<Record<string, unknown>> => {
    const parsed = schema.parse(answer);
    return { ...parsed, [name]: z.array(z.custom<Row>()).parse(parsed[name]).map(change) };
  };
}
