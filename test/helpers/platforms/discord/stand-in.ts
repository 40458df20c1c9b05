import { sign } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import { z } from 'zod';
import { discordFiles } from './files.ts';
import { DiscordGateway } from './gateway.ts';
import { faultOfDiscordCall } from './openapi.ts';
import { RefusedDiscordCall, refused } from './refused-call.ts';
import { type DiscordBody, type DiscordState, discordRoutes, flagsIn } from './routes.ts';
import { type DiscordTrouble, refusalFor } from './trouble.ts';
import { type DiscordPerson, type DiscordRoom, DiscordWorld, guildOf, type WorldMessage } from './world.ts';

interface Call {
  readonly method: string;
  readonly path: string;
  readonly body: DiscordBody;
  readonly at: number;
}

const MESSAGE_CONTENT = 1 << 18;
const PRIVATE = 1;
const PRIVATE_MESSAGE = 64;
const heardSchema = z.object({ type: z.literal([5, 6]), data: z.unknown().optional() });
const PONG = '{"type":1}';

/** Discord on a free port, with one bot: its REST API, its gateway, and the people who talk to it. */
export async function startDiscord({ heartbeatMs = 41_250 }: { readonly heartbeatMs?: number } = {}) {
  const world = new DiscordWorld();
  const calls: Call[] = [];
  const troubles: { pattern: RegExp; trouble: DiscordTrouble }[] = [];
  const threadless = new Set<string>();
  const ownRole = world.newId();
  let changed = Promise.withResolvers<void>();
  let lost = 0;

  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = z.object({ port: z.int() }).parse(server.address());
  const gatewayUrl = () => `ws://127.0.0.1:${port}/gateway`;
  const general = world.newRoom(0);
  const files = discordFiles(() => `http://127.0.0.1:${port}`);
  const gateway = new DiscordGateway(server, {
    token: world.token,
    url: gatewayUrl,
    heartbeatMs,
    ready: () => ({
      user: world.bot,
      guilds: [{ id: world.guildId, unavailable: true }],
      application: { id: world.application.id, flags: world.application.flags },
      private_channels: [],
      user_settings: {},
      relationships: [],
      shard: [0, 1],
    }),
    beginning: () => [{ t: 'GUILD_CREATE', d: guildOf(world, roles()) }],
  });
  const state: DiscordState = {
    world,
    gateway: () => gateway,
    gatewayUrl,
    files,
    nonces: new Map(),
    interactions: new Map(),
    threadless,
    commands: new Map(),
    sessionsLeft: 1_000,
    shards: 1,
    roles,
    tellMessage,
    isVerifiedBy,
  };
  const routes = discordRoutes(state);

  function roles() {
    return [
      { id: world.guildId, name: '@everyone' },
      { id: ownRole, name: 'Parley', tags: { bot_id: world.bot.id } },
    ];
  }

  function tellMessage(t: string, room: DiscordRoom, message: WorldMessage): void {
    const where = room.guild_id === null ? {} : { guild_id: room.guild_id };
    gateway.tell(t, (withContent) => ({
      ...world.shown(message, withContent),
      ...where,
      channel_type: room.type,
    }));
    wake();
  }

  async function outcomeOf(request: IncomingMessage, body: DiscordBody): Promise<unknown> {
    const { pathname, searchParams: query } = new URL(request.url ?? '', 'http://discord');
    const path = decodeURIComponent(pathname).replace(/^\/api\/v10/, '');
    refuseStrangers(request, pathname, path);
    const method = request.method ?? '';
    const fault = faultOfDiscordCall(method, path, Object.keys(body).length > 0 ? body : undefined);
    if (fault !== null) throw refused(400, 50_035, `Invalid Form Body: ${fault}`);
    for (const [route, run] of routes) {
      const found = new RegExp(`^${route.replaceAll('*', '([^/]+)')}$`).exec(`${method} ${path}`);
      if (found !== null) return await run({ query, body, at: found.slice(1) });
    }
    throw refused(404, 0, '404: Not Found');
  }

  function refuseStrangers({ headers }: IncomingMessage, pathname: string, path: string): void {
    if (!pathname.startsWith('/api/v10/')) throw refused(404, 0, '404: Not Found');
    if (!headers['user-agent']?.startsWith('DiscordBot ('))
      throw refused(403, 40_333, 'internal network error');
    const isByToken = /^\/(webhooks|interactions)\//.test(path);
    if (!isByToken && headers.authorization !== `Bot ${world.token}`) {
      throw refused(401, 0, '401: Unauthorized');
    }
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url = '', socket } = request;
    if (url.startsWith('/attachments/')) return files.hand(url, response);
    const body = z.record(z.string(), z.unknown()).parse(await json(request).catch(() => ({})));
    calls.push({ method, path: url.replace(/^\/api\/v10/, ''), body, at: performance.now() });
    wake();
    const index = troubles.findIndex(({ pattern }) => pattern.test(`${method} ${url}`));
    const trouble = index < 0 ? undefined : troubles.splice(index, 1)[0]?.trouble;
    response.on('close', () => {
      if (!response.writableFinished && /messages/.test(url)) lost += 1;
    });
    if (trouble?.kind === 'silent') return;
    if (trouble?.kind === 'cut-before') return void socket.destroy();
    if (trouble?.kind === 'garbled') return void response.writeHead(502).end('<html>Bad Gateway</html>');
    if (trouble?.kind === 'intercepted') return void response.writeHead(200).end('<html>Log in</html>');
    const result = (trouble && refusalFor(trouble)) ?? (await attempt(request, body));
    if (trouble?.kind === 'cut-after') return void socket.destroy();
    write(response, result);
  }

  async function attempt(request: IncomingMessage, body: DiscordBody): Promise<unknown> {
    try {
      return await outcomeOf(request, body);
    } catch (error) {
      if (error instanceof RefusedDiscordCall) return error;
      if (error instanceof z.ZodError) return refused(400, 50_035, `Invalid Form Body: ${error.message}`);
      throw error;
    }
  }

  function wake(): void {
    changed.resolve();
    changed = Promise.withResolvers();
  }

  /** Whether an endpoint passes the checks that Discord makes before it posts to it. */
  async function isVerifiedBy(url: string): Promise<boolean> {
    const ping = {
      id: world.newId(),
      application_id: world.application.id,
      type: 1,
      token: 'ping',
      version: 1,
    };
    const forged = await post(url, ping, 'f'.repeat(128));
    const genuine = await post(url, ping);
    return forged.status === 401 && genuine.status === 200 && (await genuine.text()) === PONG;
  }

  async function post(url: string, native: object, signature?: string): Promise<Response> {
    const body = JSON.stringify(native);
    const headers = { ...signed(body), ...(signature !== undefined && { 'x-signature-ed25519': signature }) };
    return await fetch(url, { method: 'POST', headers, body });
  }

  /** The headers that Discord sends with a body. */
  function signed(body: string, at = Date.now()): Record<string, string> {
    const timestamp = String(Math.floor(at / 1_000));
    const signature = sign(null, Buffer.from(timestamp + body), world.privateKey).toString('hex');
    return {
      'content-type': 'application/json',
      'x-signature-ed25519': signature,
      'x-signature-timestamp': timestamp,
    };
  }

  interface Interacting {
    readonly room: DiscordRoom;
    readonly user: DiscordPerson;
    readonly data: object;
    readonly message?: object;
  }

  async function interact(type: number, { room, user, data, message }: Interacting) {
    const id = world.newId();
    const token = `token-of-${id}`;
    const waiting = { room, state: 'new' as const, isPrivate: false, original: null };
    state.interactions.set(token, waiting);
    const native = {
      id,
      application_id: world.application.id,
      type,
      token,
      version: 1,
      locale: 'de',
      app_permissions: '0',
      entitlements: [],
      authorizing_integration_owners: {},
      attachment_size_limit: 10_485_760,
      channel_id: room.id,
      channel: { id: room.id, type: room.type },
      ...(room.guild_id === null ? { user } : { guild_id: room.guild_id, member: { user } }),
      ...(message && { message }),
      data,
    };
    const url = world.application.interactions_endpoint_url;
    if (url === null) gateway.tell('INTERACTION_CREATE', () => native);
    else {
      const response = await post(url, native);
      const heard = heardSchema.safeParse(await response.json());
      const isPrivate = flagsIn(heard.data?.data) === PRIVATE_MESSAGE;
      if (heard.success && waiting.state === 'new') Object.assign(waiting, { state: 'deferred', isPrivate });
    }
    return { id, token, native, state: () => state.interactions.get(token)?.state };
  }

  return {
    url: `http://127.0.0.1:${port}/api`,
    world,
    gateway,
    general,
    ownRole,
    calls,
    state,
    threadless,
    signed,
    allowContent: () => {
      world.application.flags = MESSAGE_CONTENT;
    },
    trouble: (pattern: RegExp, ...next: DiscordTrouble[]) =>
      void troubles.push(...next.map((trouble) => ({ pattern, trouble }))),
    direct: () => world.newRoom(PRIVATE),
    say(room: DiscordRoom, author: DiscordPerson, content: string, more: Partial<WorldMessage> = {}) {
      const message = world.addMessage(room, { author, content, ...more });
      tellMessage('MESSAGE_CREATE', room, message);
      return message;
    },
    /** A file that can be sent with a message. */
    file: (name: string, content: Parameters<typeof files.keep>[2]) =>
      files.keep(world.newId(), name, content),
    edit(room: DiscordRoom, message: WorldMessage, content: string): void {
      Object.assign(message, { content, edited_timestamp: new Date().toISOString() });
      tellMessage('MESSAGE_UPDATE', room, message);
    },
    remove(room: DiscordRoom, message: WorldMessage): void {
      const where = room.guild_id === null ? {} : { guild_id: room.guild_id };
      gateway.tell('MESSAGE_DELETE', () => ({ id: message.id, channel_id: room.id, ...where }));
    },
    command: (room: DiscordRoom, user: DiscordPerson, name: string, text?: string) => {
      const option = { type: 3, name: name === 'ask' ? 'question' : 'message', value: text };
      const data = { id: '1', type: 1, name, options: text === undefined ? [] : [option] };
      return interact(2, { room, user, data });
    },
    press: (room: DiscordRoom, user: DiscordPerson, { id, message }: { id: string; message: WorldMessage }) =>
      interact(3, { room, user, data: { component_type: 2, custom_id: id }, message }),
    /** Returns the number of messages whose answer was lost with the process that had sent them. */
    lostAnswers: () => lost,
    /** Returns the bot's messages in a room, oldest first. */
    answers: (roomId: string) =>
      (world.messages.get(roomId) ?? []).filter(({ author }) => author.id === world.bot.id),
    async until(check: () => boolean): Promise<void> {
      while (!check()) await changed.promise;
    },
    close(): void {
      gateway.end();
      server.closeAllConnections();
      server.close();
    },
  };
}

export type DiscordStandIn = Awaited<ReturnType<typeof startDiscord>>;

function write(response: ServerResponse, result: unknown): void {
  const isRefused = result instanceof RefusedDiscordCall;
  if (result === undefined) return void response.writeHead(204).end();
  const status = isRefused ? result.status : 200;
  response.writeHead(status, { 'content-type': 'application/json', ...(isRefused && result.headers) });
  response.end(JSON.stringify(isRefused ? result.body : result));
}
