import type { Json } from '../../core/contract/account.ts';
import type { InboundEvent, Memory } from '../../core/contract/inbound.ts';
import { type Address, addressIn } from './address.ts';
import { botIdOf } from './bot-of.ts';
import { REPLY, TEXT_CHANNELS } from './kinds.ts';
import type { DiscordAccount } from './manifest.ts';
import { readMessageId } from './message-id.ts';
import type { DiscordMessage } from './native-schema.ts';
import type { Read } from './read-native.ts';

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
export function memoriesOf(event: InboundEvent): readonly Memory[] {
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
export function threadlessOf(event: InboundEvent, read: Read, account: DiscordAccount): Memory | null {
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
