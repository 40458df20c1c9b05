import { generateKeyPairSync } from 'node:crypto';
import type { DiscordFile } from './files.ts';

const threadTypes = [10, 11, 12];

export interface DiscordPerson {
  readonly id: string;
  readonly username: string;
  readonly global_name: string | null;
  readonly bot?: boolean;
}

export interface DiscordRoom {
  readonly id: string;
  readonly type: number;
  readonly guild_id: string | null;
  readonly name: string | null;
  readonly parent_id: string | null;
  last_message_id: string | null;
}

/** A message in Discord's format, with the fields that are used here. */
export interface WorldMessage {
  readonly id: string;
  readonly channel_id: string;
  readonly type: number;
  readonly author: DiscordPerson;
  content: string;
  readonly timestamp: string;
  edited_timestamp: string | null;
  readonly mentions: readonly DiscordPerson[];
  readonly mention_roles: readonly string[];
  readonly attachments: readonly DiscordFile[];
  readonly components: readonly unknown[];
  /** 64: one person sees it alone. */
  readonly flags: number;
  readonly message_reference?: object;
  readonly referenced_message?: object;
}

const EPOCH_MS = 1_420_070_400_000;
const DIRECT = 1;

/** A Discord of the test's own: one bot, one server, its channels and their messages. */
export class DiscordWorld {
  readonly #keys = generateKeyPairSync('ed25519');
  #lastId = 0n;
  readonly bot: DiscordPerson;
  readonly token: string;
  readonly application;
  readonly guildId: string;
  readonly rooms = new Map<string, DiscordRoom>();
  readonly messages = new Map<string, WorldMessage[]>();

  constructor() {
    const id = this.newId();
    this.bot = { id, username: 'parley', global_name: null, bot: true };
    this.token = `${Buffer.from(id).toString('base64url')}.GtEsTs.the-secret-token-of-the-bot`;
    this.guildId = this.newId();
    this.application = {
      id,
      name: 'Parley',
      verify_key: this.#keys.publicKey.export({ format: 'der', type: 'spki' }).subarray(-32).toString('hex'),
      // A test may add the message content.
      flags: 0,
      interactions_endpoint_url: null as string | null,
      bot: this.bot,
    };
  }

  get privateKey() {
    return this.#keys.privateKey;
  }

  /** Ids grow with the time, and are unique. */
  newId(at = Date.now()): string {
    const id = BigInt(at - EPOCH_MS) << 22n;
    this.#lastId = id > this.#lastId ? id : this.#lastId + 1n;
    return String(this.#lastId);
  }

  newPerson(name: string): DiscordPerson {
    return { id: this.newId(), username: name.toLowerCase(), global_name: name };
  }

  newRoom(
    type: number,
    { id = this.newId(), name = 'general', parent = null as string | null } = {},
  ): DiscordRoom {
    const guild = type === DIRECT ? null : this.guildId;
    const room = { id, type, guild_id: guild, name, parent_id: parent, last_message_id: null };
    this.rooms.set(id, room);
    if (!this.messages.has(id)) this.messages.set(id, []);
    return room;
  }

  addMessage(
    room: DiscordRoom,
    said: Partial<WorldMessage> & Pick<WorldMessage, 'author' | 'content'>,
  ): WorldMessage {
    const mentioned = [...this.#people(), this.bot].filter(
      ({ id }) => said.content.includes(`<@${id}>`) || said.mentions?.some((one) => one.id === id),
    );
    const message: WorldMessage = {
      id: this.newId(),
      channel_id: room.id,
      type: 0,
      timestamp: new Date().toISOString(),
      edited_timestamp: null,
      mention_roles: [],
      attachments: [],
      components: [],
      flags: 0,
      ...said,
      mentions: mentioned,
    };
    this.messages.set(room.id, [...(this.messages.get(room.id) ?? []), message]);
    room.last_message_id = message.id;
    return message;
  }

  find(roomId: string, id: string): WorldMessage | undefined {
    return this.messages.get(roomId)?.find((message) => message.id === id);
  }

  /** Returns what the bot may read: without the intent only messages to it, in private, or of its own. */
  shown(message: WorldMessage, withContent: boolean): WorldMessage {
    const isDirect = this.rooms.get(message.channel_id)?.type === DIRECT;
    const isForBot =
      message.mentions.some(({ id }) => id === this.bot.id) || message.author.id === this.bot.id;
    return withContent || isDirect || isForBot ? message : { ...message, content: '', attachments: [] };
  }

  #people(): readonly DiscordPerson[] {
    return [...this.messages.values()].flat().map(({ author }) => author);
  }
}

/** The server of a world, as the gateway describes it. */
export function guildOf(world: DiscordWorld, roles: readonly object[]): object {
  const rooms = [...world.rooms.values()].filter(({ guild_id }) => guild_id !== null);
  const isThread = ({ type }: { type: number }) => threadTypes.includes(type);
  return {
    id: world.guildId,
    name: 'Garden club',
    owner_id: world.bot.id,
    roles,
    channels: rooms.filter((room) => !isThread(room)),
    threads: rooms.filter(isThread),
    emojis: [],
    members: [],
    member_count: 2,
    presences: [],
    voice_states: [],
    features: [],
    stage_instances: [],
    guild_scheduled_events: [],
    stickers: [],
    soundboard_sounds: [],
  };
}
