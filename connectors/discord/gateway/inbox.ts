import { z } from 'zod';
import type { Json } from '../../../core/contract/account.ts';
import type { ListenerTools } from '../../../core/contract/listener.ts';
import { jsonValue, optionalField } from '../../shared/payload.ts';
import type { DiscordAccount } from '../manifest.ts';
import { ChannelDirectory, type GuildChannel, guildSchema } from './channel-directory.ts';
import { fetchMissedMessages, hasMissedMessages } from './missed-messages.ts';
import { type GatewayEvent, readySchema } from './protocol.ts';
import { receiveInteraction } from './receive-interaction.ts';
import { type GatewayMessageEvent, receiveMessages } from './receive-messages.ts';

const cursorSchema = z.object({
  botId: z.string(),
  /** Null before the first one, and where Discord knows it no more. */
  session: z.object({ id: z.string(), resumeUrl: z.string(), seq: z.int() }).nullable(),
  /** Until when everything was heard, in milliseconds; null where nothing ever was. */
  heardAt: z.int().nullable(),
  /** Servers of which not everything was heard, since when. */
  gaps: z.record(z.string(), z.int()),
  /** Direct conversations, the latest last: Discord does not tell which there are. */
  directs: z.array(z.string()),
});

type Cursor = z.infer<typeof cursorSchema>;

/** What another bot heard is nothing that this one can go on with. */
export function restoreCursor(kept: Json, botId: string): Cursor {
  const { data } = cursorSchema.safeParse(kept);
  if (data?.botId === botId) return data;
  return { botId, session: null, heardAt: null, gaps: {}, directs: [] };
}

const MAX_BATCH = 100;
const MAX_DIRECT_CHANNELS = 200;
/** Text, voice, announcements, stages; threads of all kinds: what messages can be read of. */
const READABLE = [0, 2, 5, 10, 11, 12, 13];

const goneSchema = z.object({ id: z.string(), unavailable: z.literal(true) });
const placeSchema = z.object({ channel_id: z.string(), guild_id: optionalField(z.string()) });
const bulkSchema = z.object({ ids: z.array(z.string()) });

/**
 * What the gateway tells, stored in its order, with what was missed before it. Commands are not kept waiting by that:
 * Discord gives them three seconds. What is not stored counts as not heard.
 */
export class GatewayInbox {
  readonly #account: DiscordAccount;
  readonly #tools: ListenerTools;
  readonly #book: ChannelDirectory;
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
    this.#book = new ChannelDirectory(account, cursor.botId);
    this.#last = cursor.session?.seq ?? null;
    // Who waits for it is told; nobody may be waiting yet.
    this.#failed.promise.catch(() => {});
  }

  get session(): Cursor['session'] {
    return this.#cursor.session;
  }

  /** Rejects when something could not be stored. */
  get failed(): Promise<never> {
    return this.#failed.promise;
  }

  /** The last event before which everything is stored. */
  stored(): number | null {
    // They come in their order, and it is the first that nothing may be acknowledged behind.
    const [first] = this.#pending;
    return first === undefined ? this.#last : first - 1;
  }

  /** Notes that all is heard so far. */
  heard(): void {
    if (this.#pending.size > 0 || this.#cursor.session === null) return;
    this.#cursor = { ...this.#cursor, heardAt: this.#tools.now().getTime() };
  }

  forgetSession(): void {
    this.#cursor = { ...this.#cursor, session: null };
    this.#last = null;
  }

  async keep(): Promise<void> {
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
      const taken = receiveInteraction({ t: event.t, d: event.d ?? null }, this.#account, this.#tools);
      this.#watch(taken.then(() => this.#done([event])));
      return;
    }
    this.#queue.push(event);
    if (this.#isWorking) return;
    this.#working = this.#work();
    this.#watch(this.#working);
  }

  /** Resolves when all that came is stored; rejects where it cannot be. */
  async idle(): Promise<void> {
    await Promise.race([this.#working, this.#failed.promise]);
  }

  /** A new session: what was said since the one before is read from every server as it comes. */
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

  #watch(doing: Promise<void>): void {
    doing.catch((error: unknown) => this.#failed.reject(error));
  }

  async #done(events: readonly GatewayEvent[]): Promise<void> {
    for (const { s } of events) this.#pending.delete(s);
    this.heard();
    await this.keep();
  }

  async #work(): Promise<void> {
    this.#isWorking = true;
    try {
      while (this.#queue.length > 0) {
        const events = this.#nextBatch();
        await this.#take(events);
        await this.#done(events);
      }
    } finally {
      this.#isWorking = false;
    }
  }

  /** Messages go together; whatever else it is goes alone. */
  #nextBatch(): readonly GatewayEvent[] {
    const other = this.#queue.findIndex(({ t }) => !t.startsWith('MESSAGE_'));
    const count = other < 0 ? this.#queue.length : Math.max(1, other);
    return this.#queue.splice(0, Math.min(count, MAX_BATCH));
  }

  async #take(events: readonly GatewayEvent[]): Promise<void> {
    const [{ t, d } = { t: '', d: null }] = events;
    if (t.startsWith('MESSAGE_')) return await this.#store(events.flatMap(expandBulkDelete));
    if (/^(CHANNEL|THREAD)_(CREATE|UPDATE)$/.test(t)) return this.#book.note(d);
    if (t === 'READY') return await this.#readDirects();
    if (t === 'GUILD_DELETE') return this.#noteGone(d);
    if (t === 'GUILD_CREATE') return await this.#takeGuild(d);
  }

  async #store(events: readonly GatewayMessageEvent[]): Promise<void> {
    const context = { account: this.#account, tools: this.#tools, book: this.#book };
    const deliveries = await receiveMessages(events, context);
    const directs = deliveries.flatMap(({ native }) => directChannel(native));
    if (directs.length === 0) return;
    const others = this.#cursor.directs.filter((id) => !directs.includes(id));
    this.#cursor = { ...this.#cursor, directs: [...others, ...new Set(directs)].slice(-MAX_DIRECT_CHANNELS) };
  }

  /** Discord's servers have trouble: what is said meanwhile is told by none. */
  #noteGone(d: unknown): void {
    const { data } = goneSchema.safeParse(d);
    if (data === undefined) return;
    const gaps = { ...this.#cursor.gaps, [data.id]: this.#tools.now().getTime() };
    this.#cursor = { ...this.#cursor, gaps };
  }

  async #takeGuild(d: unknown): Promise<void> {
    const { data: guild } = guildSchema.safeParse(d);
    if (guild === undefined) return;
    this.#book.noteGuild(guild);
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
    if (!READABLE.includes(type) || !hasMissedMessages(last_message_id, since)) return;
    await this.#readBack(id, since, { guild_id: guildId, channel_type: type });
  }

  async #readDirects(): Promise<void> {
    const { heardAt, directs } = this.#cursor;
    if (heardAt === null) return;
    for (const id of directs) await this.#readBack(id, heardAt, {});
  }

  /** Messages that are read tell less of where they stand than those that are told. */
  async #readBack(channel: string, since: number, where: Record<string, Json>): Promise<void> {
    for await (const page of fetchMissedMessages(channel, since, {
      account: this.#account,
      tools: this.#tools,
    })) {
      await this.#store(page.map((message) => ({ t: 'MESSAGE_CREATE', d: withLocation(message, where) })));
    }
  }
}

function withLocation(message: Json, where: Record<string, Json>): Json {
  return z.record(z.string(), jsonValue).parse(Object.assign({}, message, where));
}

/** Many that are deleted at once are as many that are deleted. */
function expandBulkDelete({ t, d }: GatewayEvent): readonly GatewayMessageEvent[] {
  const told = d ?? null;
  const { data } = bulkSchema.safeParse(d);
  if (t !== 'MESSAGE_DELETE_BULK' || data === undefined) return [{ t, d: told }];
  return data.ids.map((id) => ({ t: 'MESSAGE_DELETE', d: withLocation(told, { id }) }));
}

function directChannel(native: Json): readonly string[] {
  const { data } = z.object({ d: placeSchema }).safeParse(native);
  return data === undefined || data.d.guild_id !== null ? [] : [data.d.channel_id];
}
