import { z } from 'zod';
import type { Json } from '../../../core/contract/account.ts';
import type { ListenerTools } from '../../../core/contract/listener.ts';
import { jsonValue, optionalField } from '../../shared/http.ts';
import type { DiscordAccount } from '../manifest.ts';
import { ChannelDirectory, type GuildChannel, guildSchema } from './channel-directory.ts';
import { fetchMissedMessages, hasMissedMessages } from './missed-messages.ts';
import { type GatewayEvent, readySchema } from './protocol.ts';
import { receiveInteraction } from './receive-interaction.ts';
import { type GatewayMessageEvent, receiveMessages } from './receive-messages.ts';

const cursorSchema = z.object({
  botId: z.string(),
  /** Null before the first session, and after Discord has invalidated it. */
  session: z.object({ id: z.string(), resumeUrl: z.string(), seq: z.int() }).nullable(),
  /** The time in milliseconds until which all events are stored; null if no event has been received. */
  heardAt: z.int().nullable(),
  /** Servers with missed messages, and the times in milliseconds since when. */
  gaps: z.record(z.string(), z.int()),
  /** Channels of direct conversations, the latest last. Discord has no list of them. */
  directs: z.array(z.string()),
});

type Cursor = z.infer<typeof cursorSchema>;

/** Parses a stored cursor. Returns an empty one if the cursor belongs to another bot, whose session cannot be resumed. */
export function restoreCursor(stored: Json, botId: string): Cursor {
  const { data } = cursorSchema.safeParse(stored);
  if (data?.botId === botId) return data;
  return { botId, session: null, heardAt: null, gaps: {}, directs: [] };
}

const MAX_BATCH = 100;
const MAX_DIRECT_CHANNELS = 200;
/** The channel types with readable messages: text, voice, announcements, stages and all kinds of threads. */
const READABLE_CHANNELS = [0, 2, 5, 10, 11, 12, 13];

const unavailableSchema = z.object({ id: z.string(), unavailable: z.literal(true) });
const locationSchema = z.object({ channel_id: z.string(), guild_id: optionalField(z.string()) });
const bulkSchema = z.object({ ids: z.array(z.string()) });

/**
 * Stores gateway events in order, together with missed messages. Commands bypass the queue, because Discord allows three
 * seconds for their acknowledgement. Events that are not stored are not acknowledged.
 */
export class GatewayInbox {
  readonly #account: DiscordAccount;
  readonly #tools: ListenerTools;
  readonly #directory: ChannelDirectory;
  readonly #failed = Promise.withResolvers<never>();
  readonly #pending = new Set<number>();
  #cursor: Cursor;
  #last: number | null = null;
  #queue: GatewayEvent[] = [];
  #working: Promise<void> = Promise.resolve();
  #isWorking = false;

  constructor(account: DiscordAccount, tools: ListenerTools, cursor: Cursor) {
    this.#account = account;
    this.#tools = tools;
    this.#cursor = cursor;
    this.#directory = new ChannelDirectory(account, cursor.botId);
    this.#last = cursor.session?.seq ?? null;
    // This prevents an unhandled rejection if the listener does not await `failed` yet.
    this.#failed.promise.catch(() => {});
  }

  get session(): Cursor['session'] {
    return this.#cursor.session;
  }

  /** Rejects if an event cannot be stored. */
  get failed(): Promise<never> {
    return this.#failed.promise;
  }

  /** Returns the sequence number up to which all events are stored. */
  stored(): number | null {
    // Sequence numbers are added in order, so the first pending one limits the acknowledgement.
    const [first] = this.#pending;
    return first === undefined ? this.#last : first - 1;
  }

  /** Records that all events until now are stored, unless events are pending. */
  markCurrent(): void {
    if (this.#pending.size > 0 || this.#cursor.session === null) return;
    this.#cursor = { ...this.#cursor, heardAt: this.#tools.now().getTime() };
  }

  forgetSession(): void {
    this.#cursor = { ...this.#cursor, session: null };
    this.#last = null;
  }

  async saveCursor(): Promise<void> {
    const { session } = this.#cursor;
    const seq = this.stored();
    if (session !== null && seq !== null) this.#cursor = { ...this.#cursor, session: { ...session, seq } };
    await this.#tools.keep(this.#cursor);
  }

  push(event: GatewayEvent): void {
    if (event.t === 'READY') this.#begin(event);
    this.#last = event.s;
    this.#pending.add(event.s);
    if (event.t === 'INTERACTION_CREATE') {
      const received = receiveInteraction({ t: event.t, d: event.d ?? null }, this.#account, this.#tools);
      this.#watch(received.then(() => this.#done([event])));
      return;
    }
    this.#queue.push(event);
    if (this.#isWorking) return;
    this.#working = this.#work();
    this.#watch(this.#working);
  }

  /** Resolves when all received events are stored; rejects if one cannot be stored. */
  async idle(): Promise<void> {
    await Promise.race([this.#working, this.#failed.promise]);
  }

  /** Begins a new session. Messages missed since the last one are read for each server when its GUILD_CREATE arrives. */
  #begin({ s, d }: GatewayEvent): void {
    const { data } = readySchema.safeParse(d);
    if (data === undefined) return;
    const { heardAt, gaps } = this.#cursor;
    const since = heardAt ?? this.#tools.now().getTime();
    const known = data.guilds.map(({ id }) => [id, gaps[id] ?? since] as const);
    this.#pending.clear();
    this.#queue = [];
    const session = { id: data.session_id, resumeUrl: data.resume_gateway_url, seq: s };
    this.#cursor = { ...this.#cursor, session, gaps: heardAt === null ? {} : Object.fromEntries(known) };
  }

  #watch(task: Promise<void>): void {
    task.catch((error: unknown) => this.#failed.reject(error));
  }

  async #done(events: readonly GatewayEvent[]): Promise<void> {
    for (const { s } of events) this.#pending.delete(s);
    this.markCurrent();
    await this.saveCursor();
  }

  async #work(): Promise<void> {
    this.#isWorking = true;
    try {
      while (this.#queue.length > 0) {
        const events = this.#nextBatch();
        await this.#handle(events);
        await this.#done(events);
      }
    } finally {
      this.#isWorking = false;
    }
  }

  /** Message events form batches; every other event is handled alone. */
  #nextBatch(): readonly GatewayEvent[] {
    const other = this.#queue.findIndex(({ t }) => !t.startsWith('MESSAGE_'));
    const count = other < 0 ? this.#queue.length : Math.max(1, other);
    return this.#queue.splice(0, Math.min(count, MAX_BATCH));
  }

  async #handle(events: readonly GatewayEvent[]): Promise<void> {
    const [{ t, d } = { t: '', d: null }] = events;
    if (t.startsWith('MESSAGE_')) return await this.#store(events.flatMap(expandBulkDelete));
    if (/^(CHANNEL|THREAD)_(CREATE|UPDATE)$/.test(t)) return this.#directory.note(d);
    if (t === 'READY') return await this.#readDirects();
    if (t === 'GUILD_DELETE') return this.#onGuildUnavailable(d);
    if (t === 'GUILD_CREATE') return await this.#onGuild(d);
  }

  async #store(events: readonly GatewayMessageEvent[]): Promise<void> {
    const context = { account: this.#account, tools: this.#tools, directory: this.#directory };
    const deliveries = await receiveMessages(events, context);
    const directs = deliveries.flatMap(({ native }) => directChannel(native));
    if (directs.length === 0) return;
    const others = this.#cursor.directs.filter((id) => !directs.includes(id));
    this.#cursor = { ...this.#cursor, directs: [...others, ...new Set(directs)].slice(-MAX_DIRECT_CHANNELS) };
  }

  /** During an outage of Discord the guild sends no events, so its messages have to be read back afterwards. */
  #onGuildUnavailable(d: unknown): void {
    const { data } = unavailableSchema.safeParse(d);
    if (data === undefined) return;
    const gaps = { ...this.#cursor.gaps, [data.id]: this.#tools.now().getTime() };
    this.#cursor = { ...this.#cursor, gaps };
  }

  async #onGuild(d: unknown): Promise<void> {
    const { data: guild } = guildSchema.safeParse(d);
    if (guild === undefined) return;
    this.#directory.noteGuild(guild);
    const { [guild.id]: since, ...gaps } = this.#cursor.gaps;
    if (since === undefined) return;
    for (const channel of [...guild.channels, ...guild.threads])
      await this.#readChannel(channel, guild.id, since);
    this.#cursor = { ...this.#cursor, gaps };
  }

  async #readChannel(
    { id, type, last_message_id }: GuildChannel,
    guildId: string,
    since: number,
  ): Promise<void> {
    if (!READABLE_CHANNELS.includes(type) || !hasMissedMessages(last_message_id, since)) return;
    await this.#readBack(id, since, { guild_id: guildId, channel_type: type });
  }

  async #readDirects(): Promise<void> {
    const { heardAt, directs } = this.#cursor;
    if (heardAt === null) return;
    for (const id of directs) await this.#readBack(id, heardAt, {});
  }

  /** REST messages lack `guild_id` and `channel_type`, which gateway messages have, so `location` adds them. */
  async #readBack(channel: string, since: number, location: Record<string, Json>): Promise<void> {
    for await (const page of fetchMissedMessages(channel, since, {
      account: this.#account,
      tools: this.#tools,
    })) {
      await this.#store(page.map((message) => ({ t: 'MESSAGE_CREATE', d: withLocation(message, location) })));
    }
  }
}

function withLocation(message: Json, location: Record<string, Json>): Json {
  return z.record(z.string(), jsonValue).parse(Object.assign({}, message, location));
}

/** Expands a bulk deletion into one deletion for each message. */
function expandBulkDelete({ t, d }: GatewayEvent): readonly GatewayMessageEvent[] {
  const payload = d ?? null;
  const { data } = bulkSchema.safeParse(d);
  if (t !== 'MESSAGE_DELETE_BULK' || data === undefined) return [{ t, d: payload }];
  return data.ids.map((id) => ({ t: 'MESSAGE_DELETE', d: withLocation(payload, { id }) }));
}

function directChannel(native: Json): readonly string[] {
  const { data } = z.object({ d: locationSchema }).safeParse(native);
  return data === undefined || data.d.guild_id !== null ? [] : [data.d.channel_id];
}
