import { createServer } from 'node:http';
import { z } from 'zod';
import { shownAddress } from './steady-hub.ts';

export const password = 'lavender-teapot-42';
const maya = { name: 'Maya Reid', email: 'maya@pottleandsprig.example' };
const team = [
  { name: 'Tom Okafor', email: 'tom@pottleandsprig.example', role: 'agent' },
  { name: 'Lea Brandt', email: 'lea@pottleandsprig.example', role: 'viewer' },
];

const linkSchema = z.looseObject({ link: z.string() });
const made = z.looseObject({ id: z.string() });
const workspaceSchema = z.object({ id: z.string(), owner: z.string(), name: z.string() });

export interface DashboardData {
  /** The cookie of Maya, who owns everything. */
  readonly cookie: string;
  readonly workspace: string;
  /** A workspace without anything. */
  readonly empty: string;
  readonly document: string;
  readonly hook: string;
  /** A conversation that waits for a person. */
  readonly conversation: string;
  /** The ids of channels, by name. */
  readonly channels: ReadonlyMap<string, string>;
}

/**
 * Fills a new installation at `hub` with what a shop would have there, all of it done by its owner. `beginToken` makes the
 * owner, and `bots` is the address of a stand-in for Telegram.
 */
export async function fillDashboard(hub: string, beginToken: string, bots: string): Promise<DashboardData> {
  await post(hub, '/dashboard/begin', { ...maya, token: beginToken, password });
  const cookie = await signIn(hub, maya.email);
  const call = async (path: string, body?: object, method = body === undefined ? 'GET' : 'POST') => {
    const answer = await fetch(`${hub}/admin/v1${path}`, {
      method,
      headers: { cookie, ...sameOrigin },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`${method} ${path}: ${await answer.text()}`);
    return answer.status === 204 ? null : answer.json();
  };
  const listed = z.object({ workspaces: z.array(workspaceSchema) }).parse(await call('/workspaces'));
  const [workspace] = listed.workspaces;
  if (workspace === undefined) throw new Error('The installation has no demo.');
  const empty = z
    .looseObject({ workspace: workspaceSchema })
    .or(z.looseObject({ id: z.string() }))
    .parse(await call('/workspaces', { name: 'Trade desk', owner: workspace.owner }));
  const own = `/workspaces/${workspace.id}`;
  for (const { email, role, name } of team) {
    const { link } = linkSchema.parse(await call(`${own}/invitations`, { email, role }));
    await post(hub, '/dashboard/invitations/accept', {
      token: link.slice(link.indexOf('#') + 1),
      name,
      password,
    });
  }
  await call(`${own}/invitations`, { email: 'jo@pottleandsprig.example', role: 'agent' });
  await call(own, { settings: { audiences: ['Trade', 'Agents'], nlweb_enabled: true } }, 'PATCH');
  await addDocuments(hub, cookie, own);
  const channels = new Map<string, string>();
  for (const channel of channelsToAdd(bots)) {
    channels.set(channel.name, made.parse(await call(`${own}/channels`, channel)).id);
  }
  const { channels: listedChannels } = z
    .object({ channels: z.array(z.looseObject({ id: z.string(), channel: z.string() })) })
    .parse(await call(`${own}/channels`));
  const demoPage = listedChannels.find(({ channel }) => channel === 'hosted');
  if (demoPage !== undefined) {
    await call(`${own}/channels/${demoPage.id}`, { name: 'Help page' }, 'PATCH');
    channels.set('Help page', demoPage.id);
  }
  let key = '';
  for (const name of ['Staff intranet', 'Order status bot', 'Website search']) {
    key = z.looseObject({ key: z.string() }).parse(await call(`${own}/keys`, { name })).key;
  }
  const hook = await call(`${own}/webhooks`, {
    url: 'https://orders.pottleandsprig.example/parley',
    events: ['conversation.escalated', 'message.created', 'document.indexed'],
  });
  await call(`${own}/webhooks`, { url: 'https://hooks.example/archive', events: ['*'] });
  for (const skill of skills) await call(`${own}/skills`, skill);
  for (const snippet of snippets) await call(`${own}/snippets`, snippet);
  const { documents } = z
    .object({ documents: z.array(z.looseObject({ id: z.string(), title: z.string() })) })
    .parse(await call(`${own}/documents?limit=100`));
  const { agents } = z
    .object({ agents: z.array(z.looseObject({ id: z.string(), name: z.string() })) })
    .parse(await call(`${own}/agents`));
  const found: string[] = [];
  for (const { questions, assignee, ...change } of conversations) {
    const id = await talk(hub, key, questions);
    found.push(id);
    const person = agents.find(({ name }) => name === assignee);
    await call(
      `${own}/conversations/${id}`,
      { ...change, ...(person !== undefined && { assignee_id: person.id }) },
      'PATCH',
    );
  }
  return {
    cookie,
    workspace: workspace.id,
    conversation: found[0] ?? '',
    empty:
      'workspace' in empty
        ? z.looseObject({ id: z.string() }).parse(empty.workspace).id
        : z.string().parse(empty.id),
    document: documents.find(({ title }) => title === 'Returns and refunds')?.id ?? '',
    hook: made.parse(hook).id,
    channels,
  };
}

/** Answers every call of a bot as Telegram would. */
export async function openBots() {
  const bot = { id: 7_104_221_987, is_bot: true, first_name: 'Pottle helper', username: 'pottle_helper_bot' };
  const server = createServer((request, response) => {
    const result =
      request.url?.endsWith('/getMe') === true ? { ...bot, can_read_all_group_messages: false } : true;
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ ok: true, result }));
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = z.object({ port: z.number() }).parse(server.address());
  return { address: `http://127.0.0.1:${port}`, close: () => server.close() };
}

function channelsToAdd(bots: string) {
  return [
    {
      channel: 'telegram',
      name: 'Pottle helper',
      credentials: { bot_token: '7104221987:AAE-pictures' },
      settings: { mode: 'webhook', api_base_url: bots },
    },
    {
      channel: 'widget',
      name: 'Shop chat',
      settings: {
        title: 'Pottle & Sprig',
        greeting: 'Hello. Ask us anything about your Pottle, your plants or your order.',
        colour: '#0e6872',
        suggestions: ['Where is my parcel?', 'How do I return a Pottle?', 'Can I pause my Sprig Box?'],
        allowed_domains: ['pottleandsprig.example'],
      },
    },
    {
      channel: 'slack',
      name: 'Trade desk',
      credentials: { bot_token: 'xoxb-pictures', signing_secret: '0123456789abcdef0123456789abcdef' },
      settings: { verify: false },
    },
    {
      channel: 'sms',
      name: 'Order line',
      credentials: { account_sid: `AC${'0'.repeat(32)}`, auth_token: '0123456789abcdef0123456789abcdef' },
      settings: { verify: false, from: '+441632960018' },
    },
  ];
}

const skills = [
  {
    name: 'order_status',
    description: 'Looks up where an order is, by its number.',
    url: 'https://orders.pottleandsprig.example/status',
    parameters: {
      type: 'object',
      properties: { order: { type: 'string', description: 'Such as PS-48213.' } },
      required: ['order'],
    },
  },
  {
    name: 'pause_box',
    description: 'Pauses a Sprig Box for one month.',
    url: 'https://orders.pottleandsprig.example/pause',
    parameters: { type: 'object', properties: { email: { type: 'string' } }, required: ['email'] },
  },
];

const snippets = [
  {
    name: 'returns',
    text: 'You can return a Pottle within 30 days. I have sent a label to your address.',
    tags: ['returns'],
  },
  {
    name: 'late',
    text: 'I am sorry that your parcel is late. I have asked the courier and will write again today.',
    tags: ['delivery'],
  },
  {
    name: 'warranty',
    text: 'Your Pottle has a warranty of two years. Please send me a photo of the fault.',
    tags: ['warranty'],
  },
  {
    name: 'thanks',
    text: 'Thank you for writing to us. Is there anything else that I can do for you?',
    tags: [],
  },
];

interface Talk {
  readonly questions: readonly string[];
  readonly customer: { readonly name: string; readonly email?: string };
  readonly status?: 'escalated' | 'resolved';
  readonly assignee?: string;
  readonly tags?: readonly string[];
  readonly priority?: 'high';
}

const conversations: readonly Talk[] = [
  {
    questions: ['How do I return a Pottle?', 'Can I return two boxes at once?'],
    customer: { name: 'Ann Lee', email: 'ann.lee@post.example' },
    status: 'escalated',
    tags: ['returns'],
    priority: 'high',
  },
  {
    questions: ['Is the pump covered?'],
    customer: { name: 'Jo Park' },
    status: 'escalated',
    assignee: 'Tom Okafor',
  },
  {
    questions: ['Can I pause my Sprig Box?', 'My parcel has not arrived, order PS-48213'],
    customer: { name: 'Samir Haddad', email: 'samir@haddad.example' },
    status: 'escalated',
    tags: ['delivery'],
  },
  {
    questions: ['What does an extra pod cost?'],
    customer: { name: 'Greta Lindqvist', email: 'greta@lindqvist.example' },
    status: 'escalated',
    tags: ['trade', 'prices'],
  },
  {
    questions: ['How much is delivery to Germany?'],
    customer: { name: 'Oskar Brandt' },
    status: 'escalated',
  },
  { questions: ['When are you open?'], customer: { name: 'Priya Nair' } },
  { questions: ['How often should I water basil?'], customer: { name: 'Callum Reed' }, status: 'resolved' },
];

/** Asks one question after the other, and returns the id of their conversation. */
async function talk(hub: string, key: string, questions: readonly string[]): Promise<string> {
  let id: string | undefined;
  for (const query of questions) {
    const answer = await fetch(`${hub}/v1/query`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ query, ...(id !== undefined && { conversation_id: id }) }),
    });
    id = z.looseObject({ conversation_id: z.string() }).parse(await answer.json()).conversation_id;
  }
  return id ?? '';
}

/** A document for some readers only, and one that cannot be read. */
async function addDocuments(hub: string, cookie: string, own: string): Promise<void> {
  const address = `${hub}/admin/v1${own}/documents`;
  await fetch(`${address}?wait=true`, {
    method: 'POST',
    headers: { cookie, ...sameOrigin },
    body: JSON.stringify({
      title: 'Trade price list',
      url: 'https://help.pottleandsprig.example/trade',
      content: '# Trade prices\n\nA box of six costs £84.',
      content_type: 'text/markdown',
      audience: ['Trade'],
    }),
  });
  const form = new FormData();
  form.append(
    'file',
    new Blob(['%PDF-1.4 broken'], { type: 'application/pdf' }),
    'Workshop wiring diagrams.pdf',
  );
  const { 'content-type': _json, ...headers } = sameOrigin;
  await fetch(`${address}/upload?wait=true`, { method: 'POST', headers: { cookie, ...headers }, body: form });
}

/** The headers of a browser's request from the dashboard's own page. */
const sameOrigin = {
  'content-type': 'application/json',
  origin: shownAddress,
  'sec-fetch-site': 'same-origin',
};

async function post(hub: string, path: string, body: object): Promise<Response> {
  const answer = await fetch(hub + path, { method: 'POST', headers: sameOrigin, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`POST ${path}: ${await answer.text()}`);
  return answer;
}

async function signIn(hub: string, email: string): Promise<string> {
  const answer = await post(hub, '/dashboard/auth/sign-in/email', { email, password });
  return answer.headers
    .getSetCookie()
    .map((header) => header.split(';', 1)[0] ?? '')
    .join('; ');
}
