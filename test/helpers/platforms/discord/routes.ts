import { z } from 'zod';
import type { DiscordFiles } from './files.ts';
import type { DiscordGateway } from './gateway.ts';
import { refused } from './refused-call.ts';
import type { DiscordRoom, DiscordWorld, WorldMessage } from './world.ts';

export type DiscordBody = Readonly<Record<string, unknown>>;

interface Asked {
  readonly query: URLSearchParams;
  readonly body: DiscordBody;
  /** The values in the place of each `*` of the route. */
  readonly at: readonly string[];
}

/** A command or a button press that the bot can answer with its token. */
export interface WaitingInteraction {
  readonly room: DiscordRoom;
  state: 'new' | 'deferred' | 'answered';
  /** Whether only its author sees the answer to it. */
  isPrivate: boolean;
  original: string | null;
}

/** The state that the calls change. */
export interface DiscordState {
  readonly world: DiscordWorld;
  readonly gateway: () => DiscordGateway;
  readonly gatewayUrl: () => string;
  readonly files: DiscordFiles;
  readonly nonces: Map<string, WorldMessage>;
  readonly interactions: Map<string, WaitingInteraction>;
  /** Channels in which the bot may not create threads. */
  readonly threadless: ReadonlySet<string>;
  readonly commands: Map<string, DiscordBody>;
  sessionsLeft: number;
  /** The recommended number of connections of the bot. */
  shards: number;
  readonly roles: () => readonly object[];
  readonly tellMessage: (t: string, room: DiscordRoom, message: WorldMessage) => void;
  readonly isVerifiedBy: (url: string) => Promise<boolean>;
}

const sendSchema = z.object({
  content: z.string(),
  components: z.array(z.unknown()).default([]),
  flags: z.int().default(0),
  nonce: z.string().optional(),
  enforce_nonce: z.boolean().default(false),
  message_reference: z.object({ message_id: z.string() }).optional(),
});
const MAX_CHARACTERS = 2_000;
const EPHEMERAL = 64;
const TEXT_ROOMS = [0, 5];

export type DiscordRoutes = readonly (readonly [string, (asked: Asked) => unknown])[];

/** The calls of the bot, by method and path below the version. */
export function discordRoutes(state: DiscordState): DiscordRoutes {
  const { world, nonces, interactions, threadless, commands } = state;

  function roomOf(id: string): DiscordRoom {
    const room = world.rooms.get(id);
    if (room === undefined) throw refused(404, 10_003, 'Unknown Channel');
    return room;
  }

  function interactionOf(token: string): WaitingInteraction {
    const waiting = interactions.get(token);
    if (waiting === undefined) throw refused(404, 10_015, 'Unknown Webhook');
    return waiting;
  }

  function postMessage(room: DiscordRoom, body: DiscordBody): WorldMessage {
    const { content, components, flags, nonce, enforce_nonce, message_reference } = readSend(body);
    const known = nonce !== undefined && enforce_nonce ? nonces.get(`${room.id} ${nonce}`) : undefined;
    if (known !== undefined) return known;
    const message = world.addMessage(room, {
      author: world.bot,
      content,
      components,
      flags: flags & EPHEMERAL,
      type: message_reference === undefined ? 0 : 19,
      ...(message_reference && { message_reference }),
    });
    if (nonce !== undefined) nonces.set(`${room.id} ${nonce}`, message);
    state.tellMessage('MESSAGE_CREATE', room, message);
    return message;
  }

  return [
    ['GET /applications/@me', () => world.application],
    ['GET /users/@me', () => world.bot],
    [
      'PATCH /applications/@me',
      async ({ body }) => {
        const url = z.string().nullable().parse(body.interactions_endpoint_url);
        if (url !== null && !(await state.isVerifiedBy(url))) {
          throw refused(400, 50_035, 'Invalid Form Body: the interactions endpoint could not be verified.');
        }
        world.application.interactions_endpoint_url = url;
        return world.application;
      },
    ],
    [
      'POST /applications/*/commands',
      ({ body }) => {
        commands.set(String(body.name), body);
        return { id: world.newId(), ...body };
      },
    ],
    [
      'GET /gateway/bot',
      () => ({
        url: state.gatewayUrl(),
        shards: state.shards,
        session_start_limit: {
          total: 1_000,
          remaining: state.sessionsLeft,
          reset_after: 3_600_000,
          max_concurrency: 1,
        },
      }),
    ],
    ['GET /channels/*', ({ at: [id = ''] }) => roomOf(id)],
    ['GET /guilds/*/roles', () => state.roles()],
    [
      'GET /channels/*/messages',
      ({ at: [id = ''], query }) => {
        const after = BigInt(query.get('after') ?? 0);
        const limit = Number(query.get('limit') ?? 50);
        const found = (world.messages.get(roomOf(id).id) ?? []).filter((one) => BigInt(one.id) > after);
        const withContent = world.application.flags !== 0;
        return found
          .slice(0, limit)
          .map((one) => world.shown(one, withContent))
          .toReversed();
      },
    ],
    [
      'GET /channels/*/messages/*',
      ({ at: [room = '', id = ''] }) => {
        const message = world.find(roomOf(room).id, id);
        if (message === undefined) throw refused(404, 10_008, 'Unknown Message');
        const { attachments, ...rest } = world.shown(message, world.application.flags !== 0);
        return { ...rest, attachments: state.files.freshened(attachments) };
      },
    ],
    ['POST /channels/*/typing', ({ at: [id = ''] }) => void roomOf(id)],
    ['POST /channels/*/messages', ({ at: [id = ''], body }) => postMessage(roomOf(id), body)],
    [
      'PATCH /channels/*/messages/*',
      ({ at: [room = '', id = ''], body }) => {
        const message = world.find(room, id);
        if (message === undefined) throw refused(404, 10_008, 'Unknown Message');
        message.content = readSend(body).content;
        message.edited_timestamp = new Date().toISOString();
        return message;
      },
    ],
    [
      'POST /channels/*/messages/*/threads',
      ({ at: [room = '', id = ''], body }) => {
        const parent = roomOf(room);
        if (threadless.has(room)) throw refused(403, 50_013, 'Missing Permissions');
        if (!TEXT_ROOMS.includes(parent.type)) {
          throw refused(400, 50_024, 'Cannot execute action on this channel type');
        }
        if (world.find(room, id) === undefined) throw refused(404, 10_008, 'Unknown Message');
        if (world.rooms.has(id)) {
          throw refused(400, 160_004, 'A thread has already been created for this message');
        }
        const thread = world.newRoom(11, { id, name: String(body.name), parent: room });
        state.gateway().tell('THREAD_CREATE', () => ({ ...thread, newly_created: true }));
        return thread;
      },
    ],
    [
      'POST /interactions/*/*/callback',
      ({ at: [, token = ''], body }) => {
        const waiting = interactionOf(token);
        if (waiting.state !== 'new') throw refused(400, 40_060, 'Interaction has already been acknowledged.');
        if (![5, 6].includes(Number(body.type))) throw refused(400, 50_035, 'Invalid Form Body');
        waiting.state = 'deferred';
        waiting.isPrivate = flagsIn(body.data) === EPHEMERAL;
      },
    ],
    [
      'PATCH /webhooks/*/*/messages/@original',
      ({ at: [, token = ''], body }) => {
        const waiting = interactionOf(token);
        if (waiting.state === 'new') throw refused(404, 10_015, 'Unknown Webhook');
        const { content, components } = readSend(body);
        const before = waiting.original && world.find(waiting.room.id, waiting.original);
        if (before) {
          before.content = content;
          return before;
        }
        const flags = waiting.isPrivate ? EPHEMERAL : 0;
        const said = { author: world.bot, content, components, flags, type: 20 };
        const message = world.addMessage(waiting.room, said);
        Object.assign(waiting, { state: 'answered', original: message.id });
        return message;
      },
    ],
    ['POST /webhooks/*/*', ({ at: [, token = ''], body }) => postMessage(interactionOf(token).room, body)],
  ];
}

/** Returns the flags of an acknowledgement. */
export function flagsIn(data: unknown): number {
  return z.object({ flags: z.int() }).safeParse(data).data?.flags ?? 0;
}

function readSend(body: DiscordBody): z.infer<typeof sendSchema> {
  const read = sendSchema.parse(body);
  const length = read.content.length;
  if (read.content.trim() === '') throw refused(400, 50_006, 'Cannot send an empty message');
  if (length > MAX_CHARACTERS) {
    throw refused(400, 50_035, 'Invalid Form Body: Must be 2000 or fewer in length.');
  }
  return read;
}
