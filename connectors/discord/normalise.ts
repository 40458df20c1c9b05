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
  const parsed = parseNative(native);
  return [parseEvent(parsed, account) ?? { type: 'unsupported', nativeType: nativeTypeName(parsed) }];
}

function nativeTypeName(parsed: NativeEvent): string {
  if (parsed.kind === 'other') return parsed.name;
  if (parsed.kind === 'interaction') return `interaction.${parsed.interaction.type}`;
  return `${parsed.kind}.${parsed.message.type ?? 'unknown'}`;
}

function parseEvent(parsed: NativeEvent, account: DiscordAccount): InboundEvent | null {
  switch (parsed.kind) {
    case 'message':
      return parseMessage(parsed.message, parsed.dispatch, account);
    case 'edit':
      return parseEdit(parsed.message, parsed.dispatch, account);
    case 'deletion':
      return { type: 'message-deleted', ...parseCommonFields(parsed.message, parsed.dispatch, account) };
    case 'interaction':
      return parseInteraction(parsed.interaction, account);
    case 'other':
      return null;
  }
}

/**
 * Parses a message. Without the Message Content intent Discord sends messages that do not address the bot without content;
 * null for those.
 */
function parseMessage(
  message: DiscordMessage,
  dispatch: Dispatch,
  account: DiscordAccount,
): InboundEvent | null {
  if (!USER_MESSAGE_TYPES.includes(message.type ?? -1)) return null;
  const base = parseCommonFields(message, dispatch, account);
  const bot = { botId: botUserId(account), role: dispatch.role };
  const attachments = parseAttachments(message);
  const text = [dispatch.title, messageText(message, bot)].filter(Boolean).join('\n');
  const isAddressed = mentionsBot(message, bot) || message.guild_id === null;
  const isEmpty = text === '' && attachments.length === 0;
  const hasNoContent = isEmpty && message.content === '';
  if (hasNoContent && message.guild_id !== null && base.sender.kind === 'person') return null;
  const joined = replyAddress(message, dispatch, account).kind === 'thread' && 'joined';
  return {
    type: 'message',
    ...base,
    text,
    attachments,
    addressed: isAddressed || joined,
    // A mention without text counts as a greeting. A poll has no content and does not.
    command: isEmpty && !hasNoContent ? 'start' : null,
  };
}

/** Parses an edit. Discord also sends MESSAGE_UPDATE without `edited_timestamp` after it has resolved links; null for those. */
function parseEdit(
  message: DiscordMessage,
  dispatch: Dispatch,
  account: DiscordAccount,
): InboundEvent | null {
  if (message.edited_timestamp === null || !USER_MESSAGE_TYPES.includes(message.type ?? -1)) return null;
  const text = messageText(message, { botId: botUserId(account), role: dispatch.role });
  const base = parseCommonFields(message, dispatch, account);
  return text === ''
    ? null
    : { type: 'message-edited', ...base, sentAt: new Date(message.edited_timestamp), text };
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

/** Parses a command or button press of this connector; null for others. */
function parseInteraction(interaction: DiscordInteraction, account: DiscordAccount): InboundEvent | null {
  const user = interaction.member?.user ?? interaction.user;
  if (user === null) return null;
  const address = interactionReplyAddress(interaction, user.id, isPrivate(interaction, account));
  if (address === null) return null;
  const base = {
    sentAt: snowflakeTime(interaction.id),
    sender: parseUser(user, interaction.locale),
    messageId: `interaction/${interaction.id}`,
  };
  if (interaction.type === APPLICATION_COMMAND)
    return parseCommand(interaction, { ...base, conversation: toConversationRef(address) });
  return interaction.type === MESSAGE_COMPONENT ? parseButtonPress(interaction, base, address) : null;
}

type CommonFields = Pick<Extract<InboundEvent, { type: 'message' }>, 'sentAt' | 'sender' | 'messageId'>;

/** Parses /ask and /human. Each command stands alone, because Discord shows "thinking" for it until its answer arrives. */
function parseCommand(
  { data }: DiscordInteraction,
  base: CommonFields & { readonly conversation: ConversationRef },
): InboundEvent | null {
  if (data?.name !== 'ask' && data?.name !== 'human') return null;
  const text = data.options?.find(({ name }) => name === 'question' || name === 'message')?.value ?? '';
  const command = data.name === 'human' ? 'human' : null;
  return { type: 'message', ...base, text, attachments: [], addressed: true, command, standsAlone: true };
}

/** Parses a button press. The message with the button does not change, so the token is used for private answers only. */
function parseButtonPress(
  interaction: DiscordInteraction,
  base: CommonFields,
  origin: Address,
): InboundEvent | null {
  const button = parseButtonId(interaction.data?.custom_id ?? null);
  if (button === null) return null;
  const conversation = pressedConversation(button.lane, origin, interaction.message?.id ?? null);
  if (button.press === 'human') {
    const message = { type: 'message' as const, ...base, conversation };
    return { ...message, text: '', attachments: [], addressed: true, command: 'human', standsAlone: true };
  }
  if (interaction.message === null) return null;
  const messageId = formatMessageId({ channel: origin.channel, message: interaction.message.id });
  return { type: 'feedback', ...base, conversation, messageId, value: button.press, comment: null };
}

/** Returns the conversation of a press. A press by another person in a channel belongs to that person's own conversation. */
function pressedConversation(lane: string, origin: Address, message: string | null): ConversationRef {
  const { interaction } = origin;
  const stored = interaction?.isPrivate === true ? { ...interaction, isUsed: true as const } : null;
  const base = { ...origin, interaction: stored };
  const address: Address = base.kind === 'channel' ? { ...base, message } : base;
  const own = toConversationRef(address);
  const asker = lane.split(':')[1];
  const isOthers = address.kind === 'channel' && asker !== undefined && asker !== address.user;
  return isOthers ? own : { ...own, lane };
}

type ChannelLocation = Pick<DiscordMessage, 'channel_id' | 'guild_id'> & {
  readonly channelType: number | null;
};

/** Returns where a message is answered: in its thread or direct conversation, in a new thread, or by a reply. */
function replyAddress(
  message: DiscordMessage,
  { channelType, threadless }: Pick<Dispatch, 'channelType' | 'threadless'>,
  account: DiscordAccount,
): Address {
  const type = message.channel_type ?? channelType;
  const existing = directOrThreadAddress({ ...message, channelType: type });
  if (existing !== null) return existing;
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

/**
 * Returns where an interaction is answered. A command has no message to create a thread from. A private interaction never
 * joins a conversation that others can see.
 */
function interactionReplyAddress(
  source: DiscordInteraction,
  userId: string,
  isPrivate: boolean,
): Address | null {
  const channel = source.channel_id ?? source.channel?.id;
  if (channel === undefined) return null;
  const goodUntil = snowflakeTime(source.id).getTime() + INTERACTION_TOKEN_MS;
  const interaction = { token: source.token, goodUntil, ...(isPrivate && { isPrivate }) };
  const location = {
    channel_id: channel,
    guild_id: source.guild_id,
    channelType: source.channel?.type ?? null,
  };
  const existing = isPrivate ? null : directOrThreadAddress(location);
  const base = existing ?? { kind: 'channel', channel, user: userId, message: null };
  return { ...base, interaction };
}

/** Returns the address of a direct message or thread; null for a channel, which holds several conversations at once. */
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
