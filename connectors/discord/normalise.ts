import type { ConversationRef, Json } from '../../core/contract/account.ts';
import type { InboundEvent } from '../../core/contract/inbound.ts';
import { attachmentsOf } from './files.ts';
import {
  type Address,
  addressIn,
  botIdOf,
  conversationAt,
  personOf,
  senderOf,
  writeMessageId,
} from './identifiers.ts';
import { isPrivate, readPress, TOKEN_LIFE_MS } from './interactions.ts';
import type { DiscordAccount } from './manifest.ts';
import { namesUs, titleOf, wordsOf } from './parse-text.ts';
import {
  COMMAND,
  COMPONENT,
  type DiscordInteraction,
  type DiscordMessage,
  type Dispatch,
  PLAIN,
  REPLY,
  type Read,
  readNative,
  TEXT_CHANNELS,
  THREADS,
  timeOf,
} from './payloads.ts';

const SAID: readonly number[] = [PLAIN, REPLY];

export function normalise(native: Json, account: DiscordAccount): readonly InboundEvent[] {
  const read = readNative(native);
  return [eventOf(read, account) ?? { type: 'unsupported', nativeType: nameOf(read) }];
}

function nameOf(read: Read): string {
  if (read.kind === 'other') return read.name;
  if (read.kind === 'interaction') return `interaction.${read.interaction.type}`;
  return `${read.kind}.${read.message.type ?? 'unknown'}`;
}

function eventOf(read: Read, account: DiscordAccount): InboundEvent | null {
  switch (read.kind) {
    case 'message':
      return messageOf(read.message, read.dispatch, account);
    case 'edit':
      return editOf(read.message, read.dispatch, account);
    case 'deletion':
      return { type: 'message-deleted', ...saidOf(read.message, read.dispatch, account) };
    case 'interaction':
      return eventOfInteraction(read.interaction, account);
    case 'other':
      return null;
  }
}

/** Without the Message Content intent Discord keeps from us what is not said to us: of that there is nothing to read. */
function messageOf(
  message: DiscordMessage,
  dispatch: Dispatch,
  account: DiscordAccount,
): InboundEvent | null {
  if (!SAID.includes(message.type ?? -1)) return null;
  const said = saidOf(message, dispatch, account);
  const ourselves = { botId: botIdOf(account), role: dispatch.role };
  const attachments = attachmentsOf(message);
  const words = wordsOf(message, ourselves);
  const text = [dispatch.title, words].filter(Boolean).join('\n');
  const isNamed = namesUs(message, ourselves) || message.guild_id === null;
  const isEmpty = text === '' && attachments.length === 0;
  const isWordless = isEmpty && message.content === '';
  if (isWordless && message.guild_id !== null && said.sender.kind === 'person') return null;
  const joined = placeOf(message, dispatch, account).kind === 'thread' && 'joined';
  return {
    type: 'message',
    ...said,
    text,
    attachments,
    addressed: isNamed || joined,
    // Who only names us says hello; a poll says nothing that we read.
    command: isEmpty && !isWordless ? 'start' : null,
  };
}

/** Discord also tells of a message again when it has looked at its links. */
function editOf(message: DiscordMessage, dispatch: Dispatch, account: DiscordAccount): InboundEvent | null {
  if (message.edited_timestamp === null || !SAID.includes(message.type ?? -1)) return null;
  const text = wordsOf(message, { botId: botIdOf(account), role: dispatch.role });
  const said = saidOf(message, dispatch, account);
  return text === ''
    ? null
    : { type: 'message-edited', ...said, sentAt: new Date(message.edited_timestamp), text };
}

function saidOf(message: DiscordMessage, dispatch: Dispatch, account: DiscordAccount) {
  const known = addressIn(dispatch.at);
  return {
    conversation: conversationAt(known ?? placeOf(message, dispatch, account)),
    sentAt: message.timestamp === null ? timeOf(message.id) : new Date(message.timestamp),
    sender: senderOf(message, botIdOf(account)),
    messageId: writeMessageId({ channel: message.channel_id, message: message.id }),
  };
}

/** A command or a press of ours; null for what we never offered. */
function eventOfInteraction(asked: DiscordInteraction, account: DiscordAccount): InboundEvent | null {
  const user = asked.member?.user ?? asked.user;
  if (user === null) return null;
  const place = placeOfInteraction(asked, user.id, isPrivate(asked, account));
  if (place === null) return null;
  const said = {
    sentAt: timeOf(asked.id),
    sender: personOf(user, asked.locale),
    messageId: `interaction/${asked.id}`,
  };
  if (asked.type === COMMAND) return commandOf(asked, { ...said, conversation: conversationAt(place) });
  return asked.type === COMPONENT ? pressOf(asked, said, place) : null;
}

type Said = Pick<Extract<InboundEvent, { type: 'message' }>, 'sentAt' | 'sender' | 'messageId'>;

/** Each waits for an answer of its own, which Discord shows as "thinking" until then. */
function commandOf(
  { data }: DiscordInteraction,
  said: Said & { readonly conversation: ConversationRef },
): InboundEvent | null {
  if (data?.name !== 'ask' && data?.name !== 'human') return null;
  const text = data.options?.find(({ name }) => name === 'question' || name === 'message')?.value ?? '';
  const command = data.name === 'human' ? 'human' : null;
  return { type: 'message', ...said, text, attachments: [], addressed: true, command, standsAlone: true };
}

/** What is pressed stays as it is: the token of a press is of use only where nothing else may be said. */
function pressOf(asked: DiscordInteraction, said: Said, place: Address): InboundEvent | null {
  const read = readPress(asked.data?.custom_id ?? null);
  if (read === null) return null;
  const conversation = conversationOf(read.lane, place, asked.message?.id ?? null);
  if (read.press === 'human') {
    const message = { type: 'message' as const, ...said, conversation };
    return { ...message, text: '', attachments: [], addressed: true, command: 'human', standsAlone: true };
  }
  if (asked.message === null) return null;
  const messageId = writeMessageId({ channel: place.channel, message: asked.message.id });
  return { type: 'feedback', ...said, conversation, messageId, value: read.press, comment: null };
}

/** In a channel, a press of somebody else is not said in the conversation of who asked. */
function conversationOf(lane: string, place: Address, message: string | null): ConversationRef {
  const { interaction } = place;
  const kept = interaction?.isPrivate === true ? { ...interaction, isUsed: true as const } : null;
  const bare = { ...place, interaction: kept };
  const address: Address = bare.kind === 'channel' ? { ...bare, message } : bare;
  const own = conversationAt(address);
  const asker = lane.split(':')[1];
  const isOthers = address.kind === 'channel' && asker !== undefined && asker !== address.user;
  return isOthers ? own : { ...own, lane };
}

type Place = Pick<DiscordMessage, 'channel_id' | 'guild_id'> & { readonly channelType: number | null };

/** Where a message is answered: in its thread or direct conversation, a thread to be made, or below it. */
function placeOf(
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
function placeOfInteraction(asked: DiscordInteraction, userId: string, isPrivate: boolean): Address | null {
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
