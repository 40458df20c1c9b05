import type { Json } from '../../core/contract/account.ts';
import type { Delivery, InboundEvent, RememberedValue } from '../../core/contract/inbound.ts';
import { type Address, botUserId, parseMessageId, tryParseAddress } from './identifiers.ts';
import type { DiscordAccount } from './manifest.ts';
import { normalise } from './normalise.ts';
import {
  type DiscordMessage,
  type NativeEvent,
  parseNative,
  REPLY_MESSAGE,
  TEXT_CHANNELS,
} from './payloads.ts';

/** The lane of events that only store a memory. */
const OTHER_LANE = 'others';

/** Returns the delivery to store for an event; null for events that do not concern the bot, which are most. Pure. */
export function toDelivery(native: Json, account: DiscordAccount, known: RememberedState): Delivery | null {
  const parsed = parseNative(native);
  const [event] = normalise(native, account);
  const identity = eventIdentity(parsed);
  if (event === undefined || identity === null || !('conversation' in event)) return null;
  const base = { ...identity, native };
  const threadless = threadlessMemory(event, parsed, account);
  if (threadless !== null) return { ...base, lane: OTHER_LANE, remember: [threadless] };
  if (!isForBot(event, parsed, known)) return null;
  const remember: readonly RememberedValue[] = conversationMemories(event);
  return { ...base, lane: event.conversation.lane, ...(remember.length > 0 && { remember }) };
}

/** The id of an edit includes its time, because a message can be edited more than once. */
function eventIdentity(parsed: NativeEvent): Pick<Delivery, 'id' | 'tenant'> | null {
  if (parsed.kind === 'other') return null;
  const { id, guild_id: guild } = parsed.kind === 'interaction' ? parsed.interaction : parsed.message;
  const tenant = guild === null ? {} : { tenant: guild };
  if (parsed.kind !== 'edit') return { id: `${parsed.kind}:${id}`, ...tenant };
  return { id: `edit:${id}:${parsed.message.edited_timestamp}`, ...tenant };
}

function isForBot(event: InboundEvent, parsed: NativeEvent, known: RememberedState): boolean {
  if (parsed.kind === 'interaction') return true;
  if (parsed.kind === 'other') return false;
  const isJoined = parsed.message.guild_id === null || isInConversation(parsed.message, known);
  if (event.type !== 'message') return isJoined;
  return event.sender.kind === 'person' && (event.addressed === true || isJoined);
}

/** Remembered values by key. */
export type RememberedState = ReadonlyMap<string, Json>;

/** After a day, creating a thread is tried again in a channel where it failed. */
const THREADLESS_MS = 24 * 60 * 60_000;

const laneKey = (lane: string) => `lane:${lane}`;
const messageKey = (message: string) => `message:${message}`;
const threadlessKey = (channel: string) => `threadless:${channel}`;

/** Returns the keys of the memories that decide whether and where a message is stored. */
export function memoryKeys({
  channel_id: channel,
  id,
}: Pick<DiscordMessage, 'channel_id' | 'id'>): readonly string[] {
  return [laneKey(channel), laneKey(id), messageKey(id), threadlessKey(channel)];
}

/**
 * Returns the memory that the bot takes part in a conversation. In a channel it also covers the message, because a later
 * deletion names the message but not its author.
 */
function conversationMemories(event: InboundEvent): readonly RememberedValue[] {
  if (event.type !== 'message' || event.addressed !== true) return [];
  const { lane, address } = event.conversation;
  const joined = tryParseAddress(address);
  if (joined === null) return [];
  const value = { ...joined, interaction: null };
  const message = parseMessageId(event.messageId)?.message;
  return [
    { key: laneKey(lane), value },
    ...(joined.kind === 'channel' && message !== undefined ? [{ key: messageKey(message), value }] : []),
  ];
}

/** Returns whether a message is in a conversation of the bot, or began one. */
export function isInConversation(
  { channel_id: channel, id }: DiscordMessage,
  known: RememberedState,
): boolean {
  return [laneKey(channel), laneKey(id), messageKey(id)].some((key) => known.has(key));
}

/** Returns the remembered address of an earlier message; null if nothing is remembered. */
export function findKnownAddress(id: string, known: RememberedState): Address | null {
  return tryParseAddress(known.get(laneKey(id)) ?? known.get(messageKey(id)));
}

/** Returns the memory that no thread can be created in a channel: only then does the bot reply in a text channel. */
function threadlessMemory(
  event: InboundEvent,
  parsed: NativeEvent,
  account: DiscordAccount,
): RememberedValue | null {
  if (parsed.kind !== 'message' || event.type !== 'message' || account.settings.threads === false)
    return null;
  const { message, dispatch } = parsed;
  const isOwnReply = message.author?.id === botUserId(account) && message.type === REPLY_MESSAGE;
  if (!isOwnReply || !TEXT_CHANNELS.includes(message.channel_type ?? dispatch.channelType ?? -1)) return null;
  return { key: threadlessKey(message.channel_id), value: event.sentAt.getTime() };
}

export function isThreadless(channel: string, known: RememberedState, now: Date): boolean {
  const since = known.get(threadlessKey(channel));
  return typeof since === 'number' && now.getTime() - since < THREADLESS_MS;
}
