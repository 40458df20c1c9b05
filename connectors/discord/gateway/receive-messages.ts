import type { Json } from '../../../core/contract/account.ts';
import type { Delivery } from '../../../core/contract/inbound.ts';
import type { ListenerTools } from '../../../core/contract/listener.ts';
import {
  findKnownAddress,
  isInConversation,
  isThreadless,
  memoryKeys,
  type RememberedState,
  toDelivery,
} from '../deliveries.ts';
import { botUserId } from '../identifiers.ts';
import type { DiscordAccount } from '../manifest.ts';
import { mentionsBot } from '../parse-text.ts';
import {
  type DiscordMessage,
  type NativeEvent,
  parseNative,
  REPLY_MESSAGE,
  TEXT_CHANNELS,
} from '../payloads.ts';
import type { ChannelDirectory } from './channel-directory.ts';

/** An event of a message, as the gateway tells it. */
export interface GatewayMessageEvent {
  readonly t: string;
  readonly d: Json;
}

interface Context {
  readonly account: DiscordAccount;
  readonly tools: ListenerTools;
  readonly book: ChannelDirectory;
}

type MessageRead = Extract<NativeEvent, { kind: 'message' | 'edit' | 'deletion' }>;

interface ReceivedEvent {
  readonly event: GatewayMessageEvent;
  readonly read: MessageRead;
}

/** Stores what is said to us, or where we take part; what people say to one another is left alone. */
export async function receiveMessages(
  events: readonly GatewayMessageEvent[],
  context: Context,
): Promise<readonly Delivery[]> {
  const { account, tools } = context;
  const read = events.map((event) => ({ event, read: parseNative({ ...event }) }));
  const concerned = read.flatMap(({ event, read }) => (mayBeForBot(read, account) ? [{ event, read }] : []));
  // What comes with a message that it is about is told of nowhere else yet.
  const known = new Map(await tools.recall(concerned.flatMap(({ read }) => memoryKeys(read.message))));
  const deliveries: Delivery[] = [];
  for (const told of concerned) {
    const { event, read } = isLateMention(told.read, { account, known }) ? asNewMessage(told) : told;
    const delivery = toDelivery(await withContext(event, read, { ...context, known }), account, known);
    if (delivery === null) continue;
    deliveries.push(delivery);
    for (const { key, value } of delivery.remember ?? []) known.set(key, value);
  }
  if (deliveries.length > 0) await tools.accept(deliveries);
  return deliveries;
}

/** Most of what a server talks of is not looked at more closely than this. */
function mayBeForBot(read: NativeEvent, account: DiscordAccount): read is MessageRead {
  if (read.kind === 'other' || read.kind === 'interaction') return false;
  const { message } = read;
  if (read.kind !== 'message' || message.guild_id === null) return true;
  const botId = botUserId(account);
  if (message.author?.id === botId) return message.type === REPLY_MESSAGE;
  const isInText = TEXT_CHANNELS.includes(message.channel_type ?? -1);
  return !isInText || mentionsBot(message, { botId, role: null }) || (message.mention_roles?.length ?? 0) > 0;
}

/** Who writes our name into what he said to others says it to us. */
function isLateMention(
  { kind, message }: MessageRead,
  { account, known }: Pick<Context, 'account'> & { readonly known: RememberedState },
): boolean {
  const isEdit = kind === 'edit' && message.edited_timestamp !== null && message.guild_id !== null;
  return (
    isEdit &&
    mentionsBot(message, { botId: botUserId(account), role: null }) &&
    !isInConversation(message, known)
  );
}

function asNewMessage({ event, read }: ReceivedEvent): ReceivedEvent {
  return { event: { ...event, t: 'MESSAGE_CREATE' }, read: { ...read, kind: 'message' } };
}

/** With what the event does not tell of itself. */
async function withContext(
  { t, d }: GatewayMessageEvent,
  { kind, message }: MessageRead,
  { account, tools, book, known }: Context & { readonly known: RememberedState },
): Promise<Json> {
  const { channel_id: channel, guild_id: guild, id } = message;
  if (guild === null) return { t, d };
  const isNamed = mentionsBot(message, { botId: botUserId(account), role: null });
  const namesRole = (message.mention_roles?.length ?? 0) > 0;
  const needsType = message.channel_type === null && kind !== 'deletion';
  const entry = needsType || isForumPostStart(message) ? await book.channel(channel, tools) : null;
  return {
    t,
    d,
    channelType: message.channel_type ?? entry?.type ?? null,
    title: isForumPostStart(message) ? (entry?.name ?? null) : null,
    role: namesRole && !isNamed ? await book.ownRole(guild, tools) : null,
    threadless: isThreadless(channel, known, tools.now()),
    ...(kind !== 'message' && { at: findKnownAddress(id, known) }),
  };
}

/** A post in a forum is a thread with the id of its first message. */
function isForumPostStart({ channel_id, id }: Pick<DiscordMessage, 'channel_id' | 'id'>): boolean {
  return channel_id === id;
}
