import type { ConversationRef, Json } from '../../core/contract/account.ts';
import type { InboundEvent } from '../../core/contract/inbound.ts';
import { parseAttachments } from './files.ts';
import {
  type Address,
  botUserId,
  formatMessageId,
  parseSender,
  parseUser,
  toConversationRef,
  tryParseAddress,
} from './identifiers.ts';
import { INTERACTION_TOKEN_MS, isPrivate, parseButtonId } from './interactions.ts';
import type { DiscordAccount } from './manifest.ts';
import { mentionsBot, messageText, threadTitle } from './parse-text.ts';
import {
  APPLICATION_COMMAND,
  DEFAULT_MESSAGE,
  type DiscordInteraction,
  type DiscordMessage,
  type Dispatch,
  MESSAGE_COMPONENT,
  type NativeEvent,
  parseNative,
  REPLY_MESSAGE,
  snowflakeTime,
  TEXT_CHANNELS,
  THREAD_CHANNELS,
} from './payloads.ts';

const USER_MESSAGE_TYPES: readonly number[] = [DEFAULT_MESSAGE, REPLY_MESSAGE];

export function normalise(native: Json, account: DiscordAccount): readonly InboundEvent[] {
  const read = parseNative(native);
  return [parseEvent(read, account) ?? { type: 'unsupported', nativeType: nativeTypeName(read) }];
}

function nativeTypeName(read: NativeEvent): string {
  if (read.kind === 'other') return read.name;
  if (read.kind === 'interaction') return `interaction.${read.interaction.type}`;
  return `${read.kind}.${read.message.type ?? 'unknown'}`;
}

function parseEvent(read: NativeEvent, account: DiscordAccount): InboundEvent | null {
  switch (read.kind) {
    case 'message':
      return parseMessage(read.message, read.dispatch, account);
    case 'edit':
      return parseEdit(read.message, read.dispatch, account);
    case 'deletion':
      return { type: 'message-deleted', ...parseCommonFields(read.message, read.dispatch, account) };
    case 'interaction':
      return parseInteraction(read.interaction, account);
    case 'other':
      return null;
  }
}

/** Without the Message Content intent Discord keeps from us what is not said to us: of that there is nothing to read. */
function parseMessage(
  message: DiscordMessage,
  dispatch: Dispatch,
  account: DiscordAccount,
): InboundEvent | null {
  if (!USER_MESSAGE_TYPES.includes(message.type ?? -1)) return null;
  const said = parseCommonFields(message, dispatch, account);
  const ourselves = { botId: botUserId(account), role: dispatch.role };
  const attachments = parseAttachments(message);
  const words = messageText(message, ourselves);
  const text = [dispatch.title, words].filter(Boolean).join('\n');
  const isNamed = mentionsBot(message, ourselves) || message.guild_id === null;
  const isEmpty = text === '' && attachments.length === 0;
  const isWordless = isEmpty && message.content === '';
  if (isWordless && message.guild_id !== null && said.sender.kind === 'person') return null;
  const joined = replyAddress(message, dispatch, account).kind === 'thread' && 'joined';
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
function parseEdit(
  message: DiscordMessage,
  dispatch: Dispatch,
  account: DiscordAccount,
): InboundEvent | null {
  if (message.edited_timestamp === null || !USER_MESSAGE_TYPES.includes(message.type ?? -1)) return null;
  const text = messageText(message, { botId: botUserId(account), role: dispatch.role });
  const said = parseCommonFields(message, dispatch, account);
  return text === ''
    ? null
    : { type: 'message-edited', ...said, sentAt: new Date(message.edited_timestamp), text };
}

function parseCommonFields(message: DiscordMessage, dispatch: Dispatch, account: DiscordAccount) {
  const known = tryParseAddress(dispatch.at);
  return {
    conversation: toConversationRef(known ?? replyAddress(message, dispatch, account)),
    sentAt: message.timestamp === null ? snowflakeTime(message.id) : new Date(message.timestamp),
    sender: parseSender(message, botUserId(account)),
    messageId: formatMessageId({ channel: message.channel_id, message: message.id }),
  };
}

/** A command or a press of ours; null for what we never offered. */
function parseInteraction(asked: DiscordInteraction, account: DiscordAccount): InboundEvent | null {
  const user = asked.member?.user ?? asked.user;
  if (user === null) return null;
  const place = interactionReplyAddress(asked, user.id, isPrivate(asked, account));
  if (place === null) return null;
  const said = {
    sentAt: snowflakeTime(asked.id),
    sender: parseUser(user, asked.locale),
    messageId: `interaction/${asked.id}`,
  };
  if (asked.type === APPLICATION_COMMAND)
    return parseCommand(asked, { ...said, conversation: toConversationRef(place) });
  return asked.type === MESSAGE_COMPONENT ? parseButtonPress(asked, said, place) : null;
}

type CommonFields = Pick<Extract<InboundEvent, { type: 'message' }>, 'sentAt' | 'sender' | 'messageId'>;

/** Each waits for an answer of its own, which Discord shows as "thinking" until then. */
function parseCommand(
  { data }: DiscordInteraction,
  said: CommonFields & { readonly conversation: ConversationRef },
): InboundEvent | null {
  if (data?.name !== 'ask' && data?.name !== 'human') return null;
  const text = data.options?.find(({ name }) => name === 'question' || name === 'message')?.value ?? '';
  const command = data.name === 'human' ? 'human' : null;
  return { type: 'message', ...said, text, attachments: [], addressed: true, command, standsAlone: true };
}

/** What is pressed stays as it is: the token of a press is of use only where nothing else may be said. */
function parseButtonPress(
  asked: DiscordInteraction,
  said: CommonFields,
  place: Address,
): InboundEvent | null {
  const read = parseButtonId(asked.data?.custom_id ?? null);
  if (read === null) return null;
  const conversation = pressedConversation(read.lane, place, asked.message?.id ?? null);
  if (read.press === 'human') {
    const message = { type: 'message' as const, ...said, conversation };
    return { ...message, text: '', attachments: [], addressed: true, command: 'human', standsAlone: true };
  }
  if (asked.message === null) return null;
  const messageId = formatMessageId({ channel: place.channel, message: asked.message.id });
  return { type: 'feedback', ...said, conversation, messageId, value: read.press, comment: null };
}

/** In a channel, a press of somebody else is not said in the conversation of who asked. */
function pressedConversation(lane: string, place: Address, message: string | null): ConversationRef {
  const { interaction } = place;
  const kept = interaction?.isPrivate === true ? { ...interaction, isUsed: true as const } : null;
  const bare = { ...place, interaction: kept };
  const address: Address = bare.kind === 'channel' ? { ...bare, message } : bare;
  const own = toConversationRef(address);
  const asker = lane.split(':')[1];
  const isOthers = address.kind === 'channel' && asker !== undefined && asker !== address.user;
  return isOthers ? own : { ...own, lane };
}

type ChannelLocation = Pick<DiscordMessage, 'channel_id' | 'guild_id'> & {
  readonly channelType: number | null;
};

/** Where a message is answered: in its thread or direct conversation, a thread to be made, or below it. */
function replyAddress(
  message: DiscordMessage,
  { channelType, threadless }: Pick<Dispatch, 'channelType' | 'threadless'>,
  account: DiscordAccount,
): Address {
  const type = message.channel_type ?? channelType;
  const within = directOrThreadAddress({ ...message, channelType: type });
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
    title: threadTitle(message, botUserId(account)),
    interaction: null,
  };
}

/** A command has no message that a thread could be made from. What is private is no part of a conversation of others. */
function interactionReplyAddress(
  asked: DiscordInteraction,
  userId: string,
  isPrivate: boolean,
): Address | null {
  const channel = asked.channel_id ?? asked.channel?.id;
  if (channel === undefined) return null;
  const goodUntil = snowflakeTime(asked.id).getTime() + INTERACTION_TOKEN_MS;
  const interaction = { token: asked.token, goodUntil, ...(isPrivate && { isPrivate }) };
  const where = { channel_id: channel, guild_id: asked.guild_id, channelType: asked.channel?.type ?? null };
  const within = isPrivate ? null : directOrThreadAddress(where);
  const place = within ?? { kind: 'channel', channel, user: userId, message: null };
  return { ...place, interaction };
}

/** Null in a channel where many things are spoken of at once. */
function directOrThreadAddress({
  channel_id: channel,
  guild_id: guild,
  channelType,
}: ChannelLocation): Address | null {
  if (guild === null) return { kind: 'direct', channel, interaction: null };
  if (channelType !== null && THREAD_CHANNELS.includes(channelType))
    return { kind: 'thread', channel, interaction: null };
  return null;
}
