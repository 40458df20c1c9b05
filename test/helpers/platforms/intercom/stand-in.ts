import { createHmac } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text as readText } from 'node:stream/consumers';
import { afterAll } from 'vitest';
import { z } from 'zod';
import { readIntercomHtml } from './html.ts';

/** The fault of the next call. */
export type IntercomTrouble =
  | { readonly kind: 'limited'; readonly resetIn: number }
  | { readonly kind: 'limited-for'; readonly seconds: number }
  | { readonly kind: 'refused'; readonly status: number; readonly code: string; readonly message: string }
  | { readonly kind: 'garbled' }
  /** A proxy answers in its place. */
  | { readonly kind: 'intercepted' }
  | { readonly kind: 'silent' }
  /** The connection ends before, or after, the request was carried out. */
  | { readonly kind: 'cut-before' }
  | { readonly kind: 'cut-after' };

interface Author {
  readonly type: 'user' | 'lead' | 'admin' | 'bot';
  readonly id: string;
  readonly name: string;
  readonly email: string;
}

interface StoredPart {
  readonly id: string;
  readonly part_type: string;
  readonly body: string | null;
  readonly author: Author;
  readonly metadata: object;
  readonly assigned_to: { readonly type: string; readonly id: string | null } | null;
}

interface StoredConversation {
  readonly id: string;
  readonly source: { readonly body: string; readonly author: Author };
  readonly parts: StoredPart[];
  admin: string | null;
  team: string | null;
  state: 'open' | 'closed';
}

const replySchema = z.object({
  message_type: z.enum(['comment', 'note', 'quick_reply']),
  type: z.literal('admin'),
  admin_id: z.string(),
  body: z.string().optional(),
  reply_options: z.array(z.object({ text: z.string(), uuid: z.uuid() })).optional(),
});
const manageSchema = z.object({
  message_type: z.literal('assignment'),
  type: z.enum(['admin', 'team']),
  admin_id: z.string(),
  assignee_id: z.string(),
});

const seconds = () => Math.floor(Date.now() / 1_000);

/**
 * Starts a workspace of Intercom's on a free port, with two teammates and an app that receives everything; stopped
 * after the test file.
 */
export async function openIntercomStandIn() {
  const us: Author = { type: 'admin', id: '7001', name: 'Parley', email: 'parley@garden.example' };
  const andy: Author = { type: 'admin', id: '7002', name: 'Andy Moss', email: 'andy@garden.example' };
  const ana: Author = {
    type: 'user',
    id: '65f1a2b3c4d5e6f7a8b9c0d1',
    name: 'Ana Silva',
    email: 'ana@customer.example',
  };
  const token = 'dG9rOnRoZS10b2tlbg==';
  const clientSecret = 'the-secret-of-the-app';
  const app = 'ghi7jk2l';
  const conversations = new Map<string, StoredConversation>();
  const calls: { method: string; path: string; body: unknown; version: string | undefined }[] = [];
  const troubles: IntercomTrouble[] = [];
  const posts: Promise<unknown>[] = [];
  const state = { next: 1, hook: '' };
  const nextId = (base: number) => `${base + state.next++}`;

  function present(conversation: StoredConversation, parts: readonly StoredPart[]) {
    const { id, source, admin, team, state: shown } = conversation;
    return {
      type: 'conversation',
      id,
      title: null,
      created_at: 1_790_000_000,
      updated_at: seconds(),
      waiting_since: null,
      snoozed_until: null,
      open: shown === 'open',
      state: shown,
      read: false,
      priority: 'not_priority',
      admin_assignee_id: admin === null ? null : Number(admin),
      team_assignee_id: team === null ? null : Number(team),
      tags: { type: 'tag.list', tags: [] },
      conversation_rating: null,
      source: {
        type: 'conversation',
        id: '403918349',
        delivered_as: 'customer_initiated',
        subject: '',
        ...source,
        attachments: [],
        url: null,
        redacted: false,
      },
      contacts: {
        type: 'contact.list',
        contacts: [{ type: 'contact', id: source.author.id, external_id: '70' }],
      },
      teammates: null,
      custom_attributes: {},
      conversation_parts: {
        type: 'conversation_part.list',
        conversation_parts: parts.map(presentPart),
        total_count: parts.length,
      },
      ai_agent_participated: false,
    };
  }

  function notify(topic: string, conversation: StoredConversation, part: StoredPart | null): Promise<void> {
    const item = present(conversation, part === null ? [] : [part]);
    return post({ topic, item });
  }

  /** Posts a notification, and once more after a failure, as Intercom does it, but at once. Returns the last answer. */
  async function post({ topic, item }: { topic: string; item: object }): Promise<void> {
    if (state.hook === '') return;
    const notification = {
      type: 'notification_event',
      app_id: app,
      data: { type: 'notification_event_data', item },
      links: {},
      id: `notif_${crypto.randomUUID()}`,
      topic,
      delivery_status: 'pending',
      delivery_attempts: 1,
      delivered_at: 0,
      first_sent_at: seconds(),
      created_at: seconds(),
      self: null,
    };
    const sending = send(notification);
    posts.push(sending);
    await sending;
  }

  async function send(notification: object): Promise<number> {
    const body = JSON.stringify(notification);
    const signature = `sha1=${createHmac('sha1', clientSecret).update(body).digest('hex')}`;
    const headers = { 'content-type': 'application/json', 'x-hub-signature': signature };
    const { status, ok } = await fetch(state.hook, { method: 'POST', headers, body });
    return ok ? status : (await fetch(state.hook, { method: 'POST', headers, body })).status;
  }

  function add(conversation: StoredConversation, part: Partial<StoredPart> & { author: Author }): StoredPart {
    const whole = {
      id: nextId(9_000),
      part_type: 'comment',
      body: null,
      metadata: {},
      assigned_to: null,
      ...part,
    };
    conversation.parts.push(whole);
    return whole;
  }

  function conversationOf(id: string): StoredConversation {
    const found = conversations.get(id);
    if (found === undefined) throw new RefusedCall(404, 'not_found', 'Resource Not Found');
    return found;
  }

  function reply(id: string, body: unknown): object {
    const conversation = conversationOf(id);
    const given = replySchema.parse(body);
    if (given.admin_id !== us.id) throw new RefusedCall(400, 'parameter_not_found', 'Admin not found');
    const { message_type: part_type } = given;
    if (part_type === 'quick_reply' && (given.body !== undefined || given.reply_options === undefined)) {
      throw new RefusedCall(400, 'parameter_invalid', 'quick_reply takes reply_options and no body');
    }
    const read = readIntercomHtml(given.body ?? '<p></p>');
    if ('fault' in read) throw new RefusedCall(422, 'parameter_invalid', `body is invalid: ${read.fault}`);
    const metadata = given.reply_options ? { quick_reply_options: given.reply_options } : {};
    const part = add(conversation, { part_type, body: given.body ?? null, author: us, metadata });
    void notify(
      part_type === 'note' ? 'conversation.admin.noted' : 'conversation.admin.replied',
      conversation,
      part,
    );
    return present(conversation, conversation.parts);
  }

  function manage(id: string, body: unknown): object {
    const conversation = conversationOf(id);
    const { type, assignee_id } = manageSchema.parse(body);
    const part = assign(conversation, { by: us, type, to: assignee_id === '0' ? null : assignee_id });
    void notify('conversation.admin.assigned', conversation, part);
    return present(conversation, conversation.parts);
  }

  function assign(
    conversation: StoredConversation,
    { by, type, to }: { by: Author; type: 'admin' | 'team'; to: string | null },
  ): StoredPart {
    if (type === 'team') conversation.team = to;
    else conversation.admin = to;
    const assigned_to = { type: to === null ? 'nobody_admin' : type, id: to };
    return add(conversation, { part_type: 'assignment', author: by, assigned_to });
  }

  const teammate = (author: Author) => ({
    type: 'admin',
    id: author.id,
    name: author.name,
    email: author.email,
    away_mode_enabled: false,
    away_mode_reassign: false,
    has_inbox_seat: true,
    team_ids: [],
  });
  const me = () => ({
    ...teammate(us),
    email_verified: true,
    app: {
      type: 'app',
      id_code: app,
      name: 'Garden shop',
      region: 'US',
      timezone: 'Europe/Lisbon',
      created_at: 1_671_465_577,
      identity_verification: false,
    },
  });
  const findAdmin = (id: string) => {
    const found = [us, andy].find((author) => author.id === id);
    if (found === undefined) throw new RefusedCall(404, 'admin_not_found', 'Admin for admin_id not found');
    return teammate(found);
  };

  function carryOut(method: string, path: string, body: unknown): unknown {
    const [, room = '', id = '', what = ''] = path.split('/');
    if (method === 'GET' && path === '/me') return me();
    if (method === 'GET' && room === 'admins') return findAdmin(id);
    if (method === 'GET' && room === 'conversations' && what === '') {
      const found = conversationOf(id);
      return present(found, found.parts);
    }
    if (method === 'POST' && room === 'conversations' && what === 'reply') return reply(id, body);
    if (method === 'POST' && room === 'conversations' && what === 'parts') return manage(id, body);
    if (method === 'POST' && path === '/auth/eagle/token')
      return { token_type: 'Bearer', access_token: token };
    throw new RefusedCall(404, 'not_found', 'Resource Not Found');
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url: path = '', headers } = request;
    const given = await readText(request);
    const body: unknown = given === '' ? null : JSON.parse(given);
    calls.push({ method, path, body, version: headers['intercom-version']?.toString() });
    const trouble = troubles.shift();
    if (trouble?.kind === 'silent') return;
    if (trouble?.kind === 'cut-before') return void request.socket.destroy();
    if (trouble?.kind === 'garbled') return void response.writeHead(502).end('<html>Bad Gateway</html>');
    if (trouble?.kind === 'intercepted') return void response.writeHead(200).end('<html>Log in</html>');
    const outcome = outcomeOf(trouble, { method, path, body, authorization: headers.authorization });
    if (trouble?.kind === 'cut-after') return void request.socket.destroy();
    const more = outcome instanceof RefusedCall ? outcome.headers : {};
    const status = outcome instanceof RefusedCall ? outcome.status : 200;
    response
      .writeHead(status, { 'content-type': 'application/json', ...more })
      .end(JSON.stringify(outcome instanceof RefusedCall ? outcome.body() : outcome));
  }

  function outcomeOf(
    trouble: IntercomTrouble | undefined,
    call: { method: string; path: string; body: unknown; authorization: string | undefined },
  ): unknown {
    try {
      const isOpen = call.path === '/auth/eagle/token';
      if (!isOpen && call.authorization !== `Bearer ${token}`) {
        throw new RefusedCall(401, 'unauthorized', 'Access Token Invalid');
      }
      const refusal = trouble && refusalOf(trouble);
      if (refusal !== undefined) throw refusal;
      return carryOut(call.method, call.path, call.body);
    } catch (error) {
      if (error instanceof RefusedCall) return error;
      if (error instanceof z.ZodError) return new RefusedCall(400, 'parameter_invalid', error.message);
      throw error;
    }
  }

  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new TypeError('no port');
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  return {
    url: `http://127.0.0.1:${address.port}`,
    token,
    clientSecret,
    app,
    us,
    andy,
    ana,
    conversations,
    calls,
    /**
     * Sets the address to which it posts, as an operator does in the Developer Hub. Intercom first sends a HEAD
     * request there.
     */
    async subscribe(hook: string): Promise<number> {
      const { status } = await fetch(hook, { method: 'HEAD' });
      if (status === 200) state.hook = hook;
      return status;
    },
    trouble: (...next: IntercomTrouble[]) => void troubles.push(...next),
    /** Posts a notification unchanged. Returns the answer. */
    tell: (notification: object) => send(notification),
    /** A contact begins a conversation; its id. */
    async begin(body: string, author: Author = ana): Promise<string> {
      const id = nextId(215_400_000_100_000);
      const source = { body, author };
      const begun: StoredConversation = { id, source, parts: [], admin: null, team: null, state: 'open' };
      conversations.set(id, begun);
      await notify('conversation.user.created', begun, null);
      return id;
    },
    /** A contact goes on in it. */
    async say(id: string, body: string, metadata: object = {}): Promise<void> {
      const conversation = conversationOf(id);
      conversation.state = 'open';
      const part = add(conversation, { body, author: conversation.source.author, metadata });
      await notify('conversation.user.replied', conversation, part);
    },
    /** Answers as a person of the team in Intercom's inbox. */
    async answerAs(id: string, author: Author, body: string): Promise<void> {
      const conversation = conversationOf(id);
      await notify('conversation.admin.replied', conversation, add(conversation, { body, author }));
    },
    async note(id: string, author: Author, body: string): Promise<void> {
      const conversation = conversationOf(id);
      const part = add(conversation, { part_type: 'note', body, author });
      await notify('conversation.admin.noted', conversation, part);
    },
    async assign(id: string, to: { by: Author; type: 'admin' | 'team'; to: string | null }): Promise<void> {
      const conversation = conversationOf(id);
      await notify('conversation.admin.assigned', conversation, assign(conversation, to));
    },
    async close(id: string, by: Author): Promise<void> {
      const conversation = conversationOf(id);
      conversation.state = 'closed';
      await notify(
        'conversation.admin.closed',
        conversation,
        add(conversation, { part_type: 'close', author: by }),
      );
    },
    async rate(id: string, rating: number, remark: string | null): Promise<void> {
      const conversation = conversationOf(id);
      const contact = { type: 'contact', id: conversation.source.author.id, external_id: '70' };
      const conversation_rating = { rating, remark, contact, teammate: { type: 'admin', id: us.id } };
      await post({
        topic: 'conversation.rating.added',
        item: { ...present(conversation, []), conversation_rating },
      });
    },
    /** Returns an answer as a contact sees it, all together, without messages for the team only. */
    seen(id: string): string {
      return conversationOf(id)
        .parts.filter(({ author, part_type }) => author.id === us.id && part_type === 'comment')
        .map(({ body }) => readableOf(body ?? ''))
        .join('\n');
    },
    partsOf: (id: string): readonly StoredPart[] => conversationOf(id).parts,
    /** Resolves when everything that was posted was answered. */
    async quiet(): Promise<void> {
      for (let index = 0; index < posts.length; index += 1) await posts[index];
    },
  };
}

function presentPart({ author, ...part }: StoredPart): object {
  const at = seconds();
  return {
    type: 'conversation_part',
    ...part,
    created_at: at,
    updated_at: at,
    notified_at: at,
    author,
    attachments: [],
    external_id: null,
    redacted: false,
    email_message_metadata: null,
    app_package_code: null,
  };
}

function readableOf(html: string): string {
  const read = readIntercomHtml(html);
  return 'text' in read ? read.text.trim() : html;
}

function refusalOf(trouble: IntercomTrouble): RefusedCall | undefined {
  const words = 'Exceeded rate limit of 167 in 10_seconds';
  if (trouble.kind === 'limited') {
    const reset = Math.ceil(Date.now() / 1_000) + trouble.resetIn;
    return new RefusedCall(429, 'rate_limit_exceeded', words, { 'x-ratelimit-reset': `${reset}` });
  }
  if (trouble.kind === 'limited-for') {
    return new RefusedCall(429, 'rate_limit_exceeded', words, { 'retry-after': `${trouble.seconds}` });
  }
  return trouble.kind === 'refused'
    ? new RefusedCall(trouble.status, trouble.code, trouble.message)
    : undefined;
}

class RefusedCall extends Error {
  readonly status: number;
  readonly code: string;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, code: string, message: string, headers: Readonly<Record<string, string>> = {}) {
    super(message);
    this.status = status;
    this.code = code;
    this.headers = headers;
  }

  body(): object {
    const errors = [{ code: this.code, message: this.message }];
    return { type: 'error.list', request_id: crypto.randomUUID(), errors };
  }
}
