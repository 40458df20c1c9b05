import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { optionalField } from '../../shared/http.ts';
import { type CallTools, callDiscord } from '../api-client.ts';
import type { DiscordAccount } from '../manifest.ts';

const channel = z.object({
  id: z.string(),
  type: z.int(),
  name: optionalField(z.string()),
  last_message_id: optionalField(z.string()),
});
const role = z.object({
  id: z.string(),
  tags: optionalField(z.object({ bot_id: optionalField(z.string()) })),
});

export const guildSchema = z.object({
  id: z.string(),
  channels: z.array(channel).catch([]),
  threads: z.array(channel).catch([]),
  roles: z.array(role).catch([]),
});

export type GuildChannel = z.infer<typeof channel>;
type Entry = Pick<GuildChannel, 'type' | 'name'>;

const MAX_ENTRIES = 50_000;

/** A cache of servers and their channels, filled by the gateway and, for missing entries, by the REST API. */
export class ChannelDirectory {
  readonly #account: DiscordAccount;
  readonly #botId: string;
  readonly #channels = new LRUCache<string, Entry>({ max: MAX_ENTRIES });
  readonly #roles = new LRUCache<string, string>({ max: MAX_ENTRIES });

  constructor(account: DiscordAccount, botId: string) {
    this.#account = account;
    this.#botId = botId;
  }

  note(payload: unknown): void {
    const { data } = channel.safeParse(payload);
    if (data !== undefined) this.#channels.set(data.id, { type: data.type, name: data.name });
  }

  noteGuild(guild: z.infer<typeof guildSchema>): void {
    for (const one of [...guild.channels, ...guild.threads]) this.note(one);
    this.#noteRoles(guild.id, guild.roles);
  }

  /** Returns a channel; null if Discord does not return it. */
  async channel(id: string, tools: CallTools): Promise<Entry | null> {
    const known = this.#channels.get(id);
    if (known !== undefined) return known;
    const call = { method: 'GET', path: `/channels/${id}`, result: channel } as const;
    const outcome = await callDiscord(call, this.#account, tools);
    if (outcome.ok) this.note(outcome.result);
    return this.#channels.get(id) ?? null;
  }

  /** Returns the role that Discord created for the bot in a server; null if there is none. */
  async ownRole(guildId: string, tools: CallTools): Promise<string | null> {
    if (!this.#roles.has(guildId)) {
      const call = { method: 'GET', path: `/guilds/${guildId}/roles`, result: z.array(role) } as const;
      const outcome = await callDiscord(call, this.#account, tools);
      this.#noteRoles(guildId, outcome.ok ? outcome.result : []);
    }
    return this.#roles.get(guildId) || null;
  }

  #noteRoles(guildId: string, roles: readonly z.infer<typeof role>[]): void {
    this.#roles.set(guildId, roles.find(({ tags }) => tags?.bot_id === this.#botId)?.id ?? '');
  }
}
