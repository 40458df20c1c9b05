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

/** A gateway event about a message. */
export interface GatewayMessageEvent {
  readonly t: string;
  readonly d: Json;
}

interface Context {
  readonly account: DiscordAccount;
  readonly tools: ListenerTools;
  readonly directory: ChannelDirectory;
}

type ParsedMessage = Extract<NativeEvent, { kind: 'message' | 'edit' | 'deletion' }>;

interface ReceivedEvent {
  readonly event: GatewayMessageEvent;
  readonly parsed: ParsedMessage;
}

/** Stores messages to the bot and in its conversations, and returns their deliveries. Other messages are not stored. */
export async function receiveMessages(
  events: readonly GatewayMessageEvent[],
  context: Context,
): Promise<readonly Delivery[]> {
  const { account, tools } = context;
  const candidates = events.flatMap((event) => {
    const parsed = parseNative({ ...event });
    return mayBeForBot(parsed, account) ? [{ event, parsed }] : [];
  });
  // Memories of this batch are added as it is processed: an edit may arrive in the same batch as its message.
  const known = new Map(await tools.recall(candidates.flatMap(({ parsed }) => memoryKeys(parsed.message))));
  const deliveries: Delivery[] = [];
  for (const candidate of candidates) {
    const { event, parsed } = isLateMention(candidate.parsed, { account, known })
      ? asNewMessage(candidate)
      : candidate;
    const delivery = toDelivery(await withContext(event, parsed, { ...context, known }), account, known);
    if (delivery === null) continue;
    deliveries.push(delivery);
    for (const { key, value } of delivery.remember ?? []) known.set(key, value);
  }
  if (deliveries.length > 0) await tools.accept(deliveries);
  return deliveries;
}

/** A cheap filter that drops most messages of a server before any lookup. */
function mayBeForBot(parsed: NativeEvent, account: DiscordAccount): parsed is ParsedMessage {
  if (parsed.kind === 'other' || parsed.kind === 'interaction') return false;
  const { message } = parsed;
  if (parsed.kind !== 'message' || message.guild_id === null) return true;
  const botId = botUserId(account);
  if (message.author?.id === botId) return message.type === REPLY_MESSAGE;
  const isInTextChannel = TEXT_CHANNELS.includes(message.channel_type ?? -1);
  return (
    !isInTextChannel ||
    mentionsBot(message, { botId, role: null }) ||
    (message.mention_roles?.length ?? 0) > 0
  );
}

/** Returns whether an edit adds a mention of the bot to a message outside its conversations. */
function isLateMention(
  { kind, message }: ParsedMessage,
  { account, known }: Pick<Context, 'account'> & { readonly known: RememberedState },
): boolean {
  const isEdit = kind === 'edit' && message.edited_timestamp !== null && message.guild_id !== null;
  return (
    isEdit &&
    mentionsBot(message, { botId: botUserId(account), role: null }) &&
    !isInConversation(message, known)
  );
}

function asNewMessage({ event, parsed }: ReceivedEvent): ReceivedEvent {
  return { event: { ...event, t: 'MESSAGE_CREATE' }, parsed: { ...parsed, kind: 'message' } };
}

/** Adds the facts that the event itself does not contain. */
async function withContext(
  { t, d }: GatewayMessageEvent,
  { kind, message }: ParsedMessage,
  { account, tools, directory, known }: Context & { readonly known: RememberedState },
): Promise<Json> {
  const { channel_id: channel, guild_id: guild, id } = message;
  if (guild === null) return { t, d };
  const isMentioned = mentionsBot(message, { botId: botUserId(account), role: null });
  const mentionsRole = (message.mention_roles?.length ?? 0) > 0;
  const needsType = message.channel_type === null && kind !== 'deletion';
  const entry = needsType || isForumPostStart(message) ? await directory.channel(channel, tools) : null;
  return {
    t,
    d,
    channelType: message.channel_type ?? entry?.type ?? null,
    title: isForumPostStart(message) ? (entry?.name ?? null) : null,
    role: mentionsRole && !isMentioned ? await directory.ownRole(guild, tools) : null,
    threadless: isThreadless(channel, known, tools.now()),
    ...(kind !== 'message' && { at: findKnownAddress(id, known) }),
  };
}

/** A forum post is a thread with the id of its first message. */
function isForumPostStart({ channel_id, id }: Pick<DiscordMessage, 'channel_id' | 'id'>): boolean {
  return channel_id === id;
}
