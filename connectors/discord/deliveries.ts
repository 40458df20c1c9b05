import type { Json } from '../../core/contract/account.ts';
import type { Delivery, InboundEvent, Memory } from '../../core/contract/inbound.ts';
import { type Address, addressIn, botIdOf, readMessageId } from './identifiers.ts';
import type { DiscordAccount } from './manifest.ts';
import { normalise } from './normalise.ts';
import { type DiscordMessage, REPLY, type Read, readNative, TEXT_CHANNELS } from './payloads.ts';

/** Of events that no conversation is to hear of. */
const OTHERS = 'others';

/** An event as it is stored; null for what nobody said to us, which is most of what Discord tells. Pure. */
export function deliveryOf(native: Json, account: DiscordAccount, known: Known): Delivery | null {
  const read = readNative(native);
  const [event] = normalise(native, account);
  const name = nameOf(read);
  if (event === undefined || name === null || !('conversation' in event)) return null;
  const told = { ...name, native };
  const threadless = threadlessOf(event, read, account);
  if (threadless !== null) return { ...told, lane: OTHERS, remember: [threadless] };
  if (!isForUs(event, read, known)) return null;
  const remember: readonly Memory[] = memoriesOf(event);
  return { ...told, lane: event.conversation.lane, ...(remember.length > 0 && { remember }) };
}

/** A message is told once, but changed more than once. */
function nameOf(read: Read): Pick<Delivery, 'id' | 'tenant'> | null {
  if (read.kind === 'other') return null;
  const { id, guild_id: guild } = read.kind === 'interaction' ? read.interaction : read.message;
  const tenant = guild === null ? {} : { tenant: guild };
  if (read.kind !== 'edit') return { id: `${read.kind}:${id}`, ...tenant };
  return { id: `edit:${id}:${read.message.edited_timestamp}`, ...tenant };
}

function isForUs(event: InboundEvent, read: Read, known: Known): boolean {
  if (read.kind === 'interaction') return true;
  if (read.kind === 'other') return false;
  const isIn = read.message.guild_id === null || partakes(read.message, known);
  if (event.type !== 'message') return isIn;
  return event.sender.kind === 'person' && (event.addressed === true || isIn);
}

/** What was remembered, by its key. */
export type Known = ReadonlyMap<string, Json>;

/** After that it is tried again whether threads can be made in a channel. */
const THREADLESS_MS = 24 * 60 * 60_000;

const laneKey = (lane: string) => `lane:${lane}`;
const messageKey = (message: string) => `message:${message}`;
const threadlessKey = (channel: string) => `threadless:${channel}`;

/** What has to be known of a message before it is stored. */
export function keysFor({
  channel_id: channel,
  id,
}: Pick<DiscordMessage, 'channel_id' | 'id'>): readonly string[] {
  return [laneKey(channel), laneKey(id), messageKey(id), threadlessKey(channel)];
}

/** That we take part in a conversation. In a channel, a deletion will name the message and nobody who wrote it. */
function memoriesOf(event: InboundEvent): readonly Memory[] {
  if (event.type !== 'message' || event.addressed !== true) return [];
  const { lane, address } = event.conversation;
  const place = addressIn(address);
  if (place === null) return [];
  const value = { ...place, interaction: null };
  const message = readMessageId(event.messageId)?.message;
  return [
    { key: laneKey(lane), value },
    ...(place.kind === 'channel' && message !== undefined ? [{ key: messageKey(message), value }] : []),
  ];
}

/** Whether a message stands in a conversation of ours, or began one. */
export function partakes({ channel_id: channel, id }: DiscordMessage, known: Known): boolean {
  return [laneKey(channel), laneKey(id), messageKey(id)].some((key) => known.has(key));
}

/** Where the conversation of an earlier message is; null where that is not known, or told by where it stands. */
export function addressKnown(id: string, known: Known): Address | null {
  return addressIn(known.get(laneKey(id)) ?? known.get(messageKey(id)));
}

/** We reply in a text channel only where we could make no thread. */
function threadlessOf(event: InboundEvent, read: Read, account: DiscordAccount): Memory | null {
  if (read.kind !== 'message' || event.type !== 'message' || account.settings.threads === false) return null;
  const { message, dispatch } = read;
  const isOwnReply = message.author?.id === botIdOf(account) && message.type === REPLY;
  if (!isOwnReply || !TEXT_CHANNELS.includes(message.channel_type ?? dispatch.channelType ?? -1)) return null;
  return { key: threadlessKey(message.channel_id), value: event.sentAt.getTime() };
}

export function isThreadless(channel: string, known: Known, now: Date): boolean {
  const since = known.get(threadlessKey(channel));
  return typeof since === 'number' && now.getTime() - since < THREADLESS_MS;
}
