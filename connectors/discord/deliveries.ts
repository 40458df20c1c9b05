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

/** Of events that no conversation is to hear of. */
const OTHER_LANE = 'others';

/** An event as it is stored; null for what nobody said to us, which is most of what Discord tells. Pure. */
export function toDelivery(native: Json, account: DiscordAccount, known: RememberedState): Delivery | null {
  const read = parseNative(native);
  const [event] = normalise(native, account);
  const name = eventIdentity(read);
  if (event === undefined || name === null || !('conversation' in event)) return null;
  const told = { ...name, native };
  const threadless = threadlessMemory(event, read, account);
  if (threadless !== null) return { ...told, lane: OTHER_LANE, remember: [threadless] };
  if (!isForUs(event, read, known)) return null;
  const remember: readonly RememberedValue[] = conversationMemories(event);
  return { ...told, lane: event.conversation.lane, ...(remember.length > 0 && { remember }) };
}

/** A message is told once, but changed more than once. */
function eventIdentity(read: NativeEvent): Pick<Delivery, 'id' | 'tenant'> | null {
  if (read.kind === 'other') return null;
  const { id, guild_id: guild } = read.kind === 'interaction' ? read.interaction : read.message;
  const tenant = guild === null ? {} : { tenant: guild };
  if (read.kind !== 'edit') return { id: `${read.kind}:${id}`, ...tenant };
  return { id: `edit:${id}:${read.message.edited_timestamp}`, ...tenant };
}

function isForUs(event: InboundEvent, read: NativeEvent, known: RememberedState): boolean {
  if (read.kind === 'interaction') return true;
  if (read.kind === 'other') return false;
  const isIn = read.message.guild_id === null || isInConversation(read.message, known);
  if (event.type !== 'message') return isIn;
  return event.sender.kind === 'person' && (event.addressed === true || isIn);
}

/** What was remembered, by its key. */
export type RememberedState = ReadonlyMap<string, Json>;

/** After that it is tried again whether threads can be made in a channel. */
const THREADLESS_MS = 24 * 60 * 60_000;

const laneKey = (lane: string) => `lane:${lane}`;
const messageKey = (message: string) => `message:${message}`;
const threadlessKey = (channel: string) => `threadless:${channel}`;

/** What has to be known of a message before it is stored. */
export function memoryKeys({
  channel_id: channel,
  id,
}: Pick<DiscordMessage, 'channel_id' | 'id'>): readonly string[] {
  return [laneKey(channel), laneKey(id), messageKey(id), threadlessKey(channel)];
}

/** That we take part in a conversation. In a channel, a deletion will name the message and nobody who wrote it. */
function conversationMemories(event: InboundEvent): readonly RememberedValue[] {
  if (event.type !== 'message' || event.addressed !== true) return [];
  const { lane, address } = event.conversation;
  const place = tryParseAddress(address);
  if (place === null) return [];
  const value = { ...place, interaction: null };
  const message = parseMessageId(event.messageId)?.message;
  return [
    { key: laneKey(lane), value },
    ...(place.kind === 'channel' && message !== undefined ? [{ key: messageKey(message), value }] : []),
  ];
}

/** Whether a message stands in a conversation of ours, or began one. */
export function isInConversation(
  { channel_id: channel, id }: DiscordMessage,
  known: RememberedState,
): boolean {
  return [laneKey(channel), laneKey(id), messageKey(id)].some((key) => known.has(key));
}

/** Where the conversation of an earlier message is; null where that is not known, or told by where it stands. */
export function findKnownAddress(id: string, known: RememberedState): Address | null {
  return tryParseAddress(known.get(laneKey(id)) ?? known.get(messageKey(id)));
}

/** We reply in a text channel only where we could make no thread. */
function threadlessMemory(
  event: InboundEvent,
  read: NativeEvent,
  account: DiscordAccount,
): RememberedValue | null {
  if (read.kind !== 'message' || event.type !== 'message' || account.settings.threads === false) return null;
  const { message, dispatch } = read;
  const isOwnReply = message.author?.id === botUserId(account) && message.type === REPLY_MESSAGE;
  if (!isOwnReply || !TEXT_CHANNELS.includes(message.channel_type ?? dispatch.channelType ?? -1)) return null;
  return { key: threadlessKey(message.channel_id), value: event.sentAt.getTime() };
}

export function isThreadless(channel: string, known: RememberedState, now: Date): boolean {
  const since = known.get(threadlessKey(channel));
  return typeof since === 'number' && now.getTime() - since < THREADLESS_MS;
}
