import { createHash } from 'node:crypto';
import type {
  APIActionRowComponent,
  APIButtonComponentWithCustomId,
  RESTPostAPIChannelMessageJSONBody,
} from 'discord.js';
import { z } from 'zod';
import type { ConversationRef, Tools } from '../../core/contract/account.ts';
import { ConnectorError } from '../../core/contract/connector-error.ts';
import type { Typing } from '../../core/contract/facets.ts';
import type { Budget, OutboundPart, Receipt } from '../../core/contract/outbound.ts';
import { offerTexts } from '../shared/offer-texts.ts';
import { callDiscord, callDiscordOrThrow, type Refusal, refusalError } from './api-client.ts';
import { type Address, formatMessageId, parseAddress } from './identifiers.ts';
import { type ButtonAction, EPHEMERAL, formatButtonId, INTERACTION_TOKEN_MS } from './interactions.ts';
import type { DiscordAccount } from './manifest.ts';
import { type Part, parsePart } from './render.ts';

/** Discord allows a bot 50 calls a second over all guilds; 25 leave room for calls other than answers. */
const BOT_BUDGET: Budget = { key: 'all', everyMs: 40, burst: 5, ofApp: true };
/** Discord allows five messages in five seconds in a channel. */
const CHANNEL_BUDGET = { everyMs: 2_500, burst: 3 };

export function budgets(to: ConversationRef): readonly Budget[] {
  const address = parseAddress(to);
  // Replacing the "thinking" state does not count as a message of the channel.
  if (address.interaction !== null) return [BOT_BUDGET];
  // The thread of a question has its own limit; its id is the message's id, even before the thread exists.
  const channel = address.kind === 'question' ? address.message : address.channel;
  return [{ key: `channel:${channel}`, ...CHANNEL_BUDGET }, BOT_BUDGET];
}

type SentMessage = z.infer<typeof sentMessageSchema>;

/** Sends a part: in place of a command's "thinking" state, in a new thread for a question in a channel, or as a reply. */
export async function deliver(
  part: OutboundPart,
  to: ConversationRef,
  account: DiscordAccount,
  tools: Tools,
): Promise<Receipt> {
  const content = parsePart(part);
  const address = parseAddress(to);
  const original = await answerInteraction('original', content, { to, account, tools });
  if (original !== null) return toReceipt(original, to, withoutInteraction(address, content));
  if (content.interaction?.isPrivate === true) return await sendPrivately(content, { to, account, tools });
  const target = address.kind === 'question' ? await openThread(address, account, tools) : address;
  const nonce = part.key === undefined ? null : messageNonce(account.id, part.key);
  const outcome = await callDiscord(
    {
      method: 'POST',
      path: `/channels/${target.channel}/messages`,
      body: {
        ...buildMessageBody(content, to.lane),
        ...(target.kind === 'channel' && messageReference(content.replyTo ?? target.message)),
        ...(nonce !== null && { nonce, enforce_nonce: true }),
      },
      result: sentMessageSchema,
    },
    account,
    tools,
  );
  if (outcome.ok) return toReceipt(outcome.result, to, target === address ? null : target);
  const followUp = isForbiddenOrGone(outcome.refusal)
    ? await answerInteraction('follow-up', content, { to, account, tools })
    : null;
  if (followUp !== null) return toReceipt(followUp, to, null);
  throw refusalError(outcome.refusal, tools.now());
}

/** Sends a private part as a follow-up. Throws instead of sending it visibly to everybody. */
async function sendPrivately(part: Part, context: DeliveryContext): Promise<Receipt> {
  const followUp = await answerInteraction('follow-up', part, context);
  if (followUp !== null) return toReceipt(followUp, context.to, null);
  throw new ConnectorError(
    'A private answer can be sent only within 15 minutes of the command or button press, and that time has passed.',
    { advice: { retry: 'never' } },
  );
}

/** The referenced message may have been deleted, so Discord is told to send the message anyway. */
function messageReference(message: string | null): object {
  return message === null ? {} : { message_reference: { message_id: message, fail_if_not_exists: false } };
}

/** The bot may lack permission to write where a command was used; the command's token still allows a follow-up. */
function isForbiddenOrGone({ status }: Refusal): boolean {
  return status === 403 || status === 404;
}

/** Drops the token once it is used: a later answer would replace the first one. */
function withoutInteraction(address: Address, { interaction }: Part): Address | null {
  if (address.interaction?.token !== interaction?.token) return null;
  return {
    ...address,
    interaction: interaction?.isPrivate === true ? { ...interaction, isUsed: true } : null,
  };
}

function toReceipt(
  { id, channel_id }: SentMessage,
  { lane }: ConversationRef,
  address: Address | null,
): Receipt {
  const messageId = formatMessageId({ channel: channel_id, message: id });
  return address === null ? { messageId } : { messageId, moved: { lane, address } };
}

/** Unknown webhook: Discord does not show the command as "thinking". */
const UNKNOWN_WEBHOOK = 10_015;
/** The acknowledgement of a command may still be in progress for this time. */
const ACKNOWLEDGEMENT_MS = 3_000;
const RETRY_MS = 1_500;

interface DeliveryContext {
  readonly to: ConversationRef;
  readonly account: DiscordAccount;
  readonly tools: Tools;
}

/**
 * Sends a part with the token of the command that it answers, in place of the "thinking" state or as a follow-up. Returns
 * null if the token cannot be used any more.
 */
async function answerInteraction(
  as: 'original' | 'follow-up',
  part: Part,
  { to, account, tools }: DeliveryContext,
): Promise<z.infer<typeof sentMessageSchema> | null> {
  const { interaction } = part;
  if (interaction === null || interaction.goodUntil <= tools.now().getTime()) return null;
  if (as === 'original' && !canReplaceOriginal(part, parseAddress(to))) return null;
  const webhookPath = `/webhooks/${account.credentials.application_id}/${interaction.token}`;
  const body = buildMessageBody(part, to.lane);
  const call = { token: interaction.token, result: sentMessageSchema };
  const outcome =
    as === 'original'
      ? await callDiscord(
          { ...call, body, method: 'PATCH', path: `${webhookPath}/messages/@original` },
          account,
          tools,
        )
      : await callDiscord(
          { ...call, body: asEphemeral(body, part), method: 'POST', path: `${webhookPath}?wait=true` },
          account,
          tools,
        );
  if (outcome.ok) return outcome.result;
  if (isNotAcknowledgedYet(outcome.refusal, interaction, tools.now())) {
    throw new ConnectorError('Discord has not processed the acknowledgement of the command yet.', {
      advice: { retry: 'after', afterMs: RETRY_MS },
    });
  }
  if (isExpired(outcome.refusal)) return null;
  throw refusalError(outcome.refusal, tools.now());
}

/** A message in place of "thinking" has the visibility of that state; a follow-up needs its own flag. */
function asEphemeral<Body extends { flags?: number | undefined }>(body: Body, { interaction }: Part): Body {
  return interaction?.isPrivate === true ? { ...body, flags: (body.flags ?? 0) | EPHEMERAL } : body;
}

/** A message of an agent never replaces an answer that the bot has already given. */
function canReplaceOriginal(
  { isFirst, author, interaction }: Part,
  { interaction: waiting }: Address,
): boolean {
  if (waiting?.token !== interaction?.token) return isFirst && author === 'bot';
  return isFirst && waiting?.isUsed !== true;
}

/**
 * Returns whether the command's acknowledgement may still be in progress. An answer sent elsewhere at that time would leave
 * the "thinking" state visible for good.
 */
function isNotAcknowledgedYet(
  { code }: Refusal,
  { goodUntil }: { readonly goodUntil: number },
  now: Date,
): boolean {
  const ageMs = now.getTime() - (goodUntil - INTERACTION_TOKEN_MS);
  // The age may be negative, because clocks differ.
  return code === UNKNOWN_WEBHOOK && Math.abs(ageMs) < ACKNOWLEDGEMENT_MS;
}

/** The "thinking" state was never shown or was deleted, or the token is too old. */
function isExpired({ status }: Refusal): boolean {
  return [401, 403, 404].includes(status);
}

type Question = Extract<Address, { kind: 'question' }>;
type TargetAddress = Extract<Address, { kind: 'thread' | 'channel' }>;

/** A thread has already been created for this message. */
const THREAD_EXISTS = 160_004;

/** Creates the thread of a question; it gets the message's id. If Discord refuses, the answer becomes a reply. */
async function openThread(question: Question, account: DiscordAccount, tools: Tools): Promise<TargetAddress> {
  const { channel, message, user, title, interaction } = question;
  const path = `/channels/${channel}/messages/${message}/threads`;
  const outcome = await callDiscord(
    { method: 'POST', path, body: { name: title }, result: z.unknown() },
    account,
    tools,
  );
  if (outcome.ok || outcome.refusal.code === THREAD_EXISTS) {
    return { kind: 'thread', channel: message, interaction };
  }
  if (!isPermanent(outcome.refusal)) throw refusalError(outcome.refusal, tools.now());
  tools.log.warn({ because: outcome.refusal.message }, 'thread creation refused, answer sent as reply');
  return { kind: 'channel', channel, user, message, interaction };
}

/** A missing permission, a channel without threads, too many threads, or a deleted question. */
function isPermanent({ status }: Refusal): boolean {
  return [400, 403, 404].includes(status);
}

type MessageBody = Pick<
  RESTPostAPIChannelMessageJSONBody,
  'content' | 'components' | 'flags' | 'allowed_mentions'
>;

const SUPPRESS_EMBEDS = 4;

/** Builds a message that notifies nobody and shows no link previews. */
function buildMessageBody(part: Part, lane: string): MessageBody {
  const components = buildButtons(part, lane);
  return { content: part.text, components, flags: SUPPRESS_EMBEDS, allowed_mentions: { parse: [] } };
}

const ACTION_ROW = 1;
const BUTTON = 2;
const SECONDARY_STYLE = 2;

type Row = APIActionRowComponent<APIButtonComponentWithCustomId>;

/** Returns one row of buttons, or none. Thumbs need no label. */
function buildButtons({ offers, language }: Pick<Part, 'offers' | 'language'>, lane: string): Row[] {
  const button = (press: ButtonAction, emoji: string, label?: string): APIButtonComponentWithCustomId => ({
    type: BUTTON,
    style: SECONDARY_STYLE,
    emoji: { name: emoji },
    custom_id: formatButtonId(press, lane),
    ...(label !== undefined && { label }),
  });
  const buttons = [
    ...(offers.includes('feedback') ? [button('up', '👍'), button('down', '👎')] : []),
    ...(offers.includes('helped') ? [button('up', '✅', offerTexts(language).helped)] : []),
    ...(offers.includes('human') ? [button('human', '🙋', offerTexts(language).human)] : []),
  ];
  return buttons.length === 0 ? [] : [{ type: ACTION_ROW, components: buttons }];
}

/** Discord's limit for a nonce. */
const MAX_NONCE_CHARS = 25;

/** Returns the nonce of a part, the same for each attempt: within some minutes Discord sends one message per nonce. */
function messageNonce(accountId: string, key: string): string {
  return createHash('sha256').update(`${accountId} ${key}`).digest('base64url').slice(0, MAX_NONCE_CHARS);
}

/** The used fields of a sent message. */
const sentMessageSchema = z.object({ id: z.string(), channel_id: z.string() });

export const createTyping = (account: DiscordAccount): Typing => ({
  /** Discord shows the indicator for ten seconds. */
  lastsMs: 8_000,

  /** Shows nothing for a command, because Discord shows it as "thinking". */
  async show(to, tools) {
    const { channel, interaction } = parseAddress(to);
    if (interaction !== null && interaction.goodUntil > tools.now().getTime()) return;
    const path = `/channels/${channel}/typing`;
    await callDiscordOrThrow({ method: 'POST', path, result: z.unknown() }, account, tools);
  },
});
