import type { Json } from '../../../core/contract/account.ts';
import type { Delivery } from '../../../core/contract/inbound.ts';
import type { ListenerTools } from '../../../core/contract/listener.ts';
import { addressKnown, deliveryOf, isThreadless, type Known, keysFor, partakes } from '../deliveries.ts';
import { botIdOf } from '../identifiers.ts';
import type { DiscordAccount } from '../manifest.ts';
import { namesUs } from '../parse-text.ts';
import { type DiscordMessage, REPLY, type Read, readNative, TEXT_CHANNELS } from '../payloads.ts';
import type { ChannelBook } from './channel-directory.ts';

/** An event of a message, as the gateway tells it. */
export interface MessageEvent {
  readonly t: string;
  readonly d: Json;
}

interface Context {
  readonly account: DiscordAccount;
  readonly tools: ListenerTools;
  readonly book: ChannelBook;
}

type Concerned = Extract<Read, { kind: 'message' | 'edit' | 'deletion' }>;

interface Told {
  readonly event: MessageEvent;
  readonly read: Concerned;
}

/** Stores what is said to us, or where we take part; what people say to one another is left alone. */
export async function takeMessages(
  events: readonly MessageEvent[],
  context: Context,
): Promise<readonly Delivery[]> {
  const { account, tools } = context;
  const read = events.map((event) => ({ event, read: readNative({ ...event }) }));
  const concerned = read.flatMap(({ event, read }) => (mayConcern(read, account) ? [{ event, read }] : []));
  // What comes with a message that it is about is told of nowhere else yet.
  const known = new Map(await tools.recall(concerned.flatMap(({ read }) => keysFor(read.message))));
  const deliveries: Delivery[] = [];
  for (const told of concerned) {
    const { event, read } = isNamedLater(told.read, { account, known }) ? asSaidNow(told) : told;
    const delivery = deliveryOf(await completed(event, read, { ...context, known }), account, known);
    if (delivery === null) continue;
    deliveries.push(delivery);
    for (const { key, value } of delivery.remember ?? []) known.set(key, value);
  }
  if (deliveries.length > 0) await tools.accept(deliveries);
  return deliveries;
}

/** Most of what a server talks of is not looked at more closely than this. */
function mayConcern(read: Read, account: DiscordAccount): read is Concerned {
  if (read.kind === 'other' || read.kind === 'interaction') return false;
  const { message } = read;
  if (read.kind !== 'message' || message.guild_id === null) return true;
  const botId = botIdOf(account);
  if (message.author?.id === botId) return message.type === REPLY;
  const isInText = TEXT_CHANNELS.includes(message.channel_type ?? -1);
  return !isInText || namesUs(message, { botId, role: null }) || (message.mention_roles?.length ?? 0) > 0;
}

/** Who writes our name into what he said to others says it to us. */
function isNamedLater(
  { kind, message }: Concerned,
  { account, known }: Pick<Context, 'account'> & { readonly known: Known },
): boolean {
  const isEdit = kind === 'edit' && message.edited_timestamp !== null && message.guild_id !== null;
  return isEdit && namesUs(message, { botId: botIdOf(account), role: null }) && !partakes(message, known);
}

function asSaidNow({ event, read }: Told): Told {
  return { event: { ...event, t: 'MESSAGE_CREATE' }, read: { ...read, kind: 'message' } };
}

/** With what the event does not tell of itself. */
async function completed(
  { t, d }: MessageEvent,
  { kind, message }: Concerned,
  { account, tools, book, known }: Context & { readonly known: Known },
): Promise<Json> {
  const { channel_id: channel, guild_id: guild, id } = message;
  if (guild === null) return { t, d };
  const isNamed = namesUs(message, { botId: botIdOf(account), role: null });
  const namesRole = (message.mention_roles?.length ?? 0) > 0;
  const needsType = message.channel_type === null && kind !== 'deletion';
  const entry = needsType || isFirstOfPost(message) ? await book.channel(channel, tools) : null;
  return {
    t,
    d,
    channelType: message.channel_type ?? entry?.type ?? null,
    title: isFirstOfPost(message) ? (entry?.name ?? null) : null,
    role: namesRole && !isNamed ? await book.ownRole(guild, tools) : null,
    threadless: isThreadless(channel, known, tools.now()),
    ...(kind !== 'message' && { at: addressKnown(id, known) }),
  };
}

/** A post in a forum is a thread with the id of its first message. */
function isFirstOfPost({ channel_id, id }: Pick<DiscordMessage, 'channel_id' | 'id'>): boolean {
  return channel_id === id;
}
