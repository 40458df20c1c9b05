import type { Address } from './address.ts';
import { botIdOf } from './bot-of.ts';
import { TEXT_CHANNELS, THREADS } from './kinds.ts';
import type { DiscordAccount } from './manifest.ts';
import type { DiscordInteraction, DiscordMessage, Dispatch } from './native-schema.ts';
import { timeOf } from './snowflake.ts';
import { titleOf } from './title-of.ts';
import { TOKEN_LIFE_MS } from './token-life.ts';

type Place = Pick<DiscordMessage, 'channel_id' | 'guild_id'> & { readonly channelType: number | null };

/** Where a message is answered: in its thread or direct conversation, a thread to be made, or below it. */
export function placeOf(
  message: DiscordMessage,
  { channelType, threadless }: Pick<Dispatch, 'channelType' | 'threadless'>,
  account: DiscordAccount,
): Address {
  const type = message.channel_type ?? channelType;
  const within = placeWithin({ ...message, channelType: type });
  if (within !== null) return within;
  const { channel_id: channel, id, author } = message;
  const user = author?.id ?? id;
  const canThread =
    TEXT_CHANNELS.includes(type ?? -1) && threadless !== true && account.settings.threads !== false;
  if (!canThread) return { kind: 'channel', channel, user, message: id, interaction: null };
  return {
    kind: 'question',
    channel,
    user,
    message: id,
    title: titleOf(message, botIdOf(account)),
    interaction: null,
  };
}

/** A command has no message that a thread could be made from. What is private is no part of a conversation of others. */
export function placeOfInteraction(
  asked: DiscordInteraction,
  userId: string,
  isPrivate: boolean,
): Address | null {
  const channel = asked.channel_id ?? asked.channel?.id;
  if (channel === undefined) return null;
  const goodUntil = timeOf(asked.id).getTime() + TOKEN_LIFE_MS;
  const interaction = { token: asked.token, goodUntil, ...(isPrivate && { isPrivate }) };
  const where = { channel_id: channel, guild_id: asked.guild_id, channelType: asked.channel?.type ?? null };
  const within = isPrivate ? null : placeWithin(where);
  const place = within ?? { kind: 'channel', channel, user: userId, message: null };
  return { ...place, interaction };
}

/** Null in a channel where many things are spoken of at once. */
function placeWithin({ channel_id: channel, guild_id: guild, channelType }: Place): Address | null {
  if (guild === null) return { kind: 'direct', channel, interaction: null };
  if (channelType !== null && THREADS.includes(channelType))
    return { kind: 'thread', channel, interaction: null };
  return null;
}
