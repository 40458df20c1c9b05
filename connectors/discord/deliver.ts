import { createHash } from 'node:crypto';
import type {
  APIActionRowComponent,
  APIButtonComponentWithCustomId,
  RESTPostAPIChannelMessageJSONBody,
} from 'discord.js';
import { z } from 'zod';
import type { ConversationRef, Tools } from '../../core/contract/account.ts';
import { ConnectorError } from '../../core/contract/connector-error.ts';
import type { Facets } from '../../core/contract/facets.ts';
import type { Budget, OutboundPart, Receipt } from '../../core/contract/outbound.ts';
import { offerTexts } from '../shared/offer-texts.ts';
import { callDiscord, callDiscordOrThrow, type Refusal, refusalError } from './api-client.ts';
import { type Address, formatMessageId, parseAddress } from './identifiers.ts';
import { type ButtonAction, EPHEMERAL, formatButtonId, INTERACTION_TOKEN_MS } from './interactions.ts';
import type { DiscordAccount } from './manifest.ts';
import { type Part, parsePart } from './render.ts';

/** 50 calls a second of a bot, whichever guilds it is in; answers are not all that is called for. */
const ALL: Budget = { key: 'all', everyMs: 40, burst: 5, ofApp: true };
/** Five messages in five seconds. */
const CHANNEL = { everyMs: 2_500, burst: 3 };

export function budgets(to: ConversationRef): readonly Budget[] {
  const address = parseAddress(to);
  // What takes the place of "thinking" is no message of the channel's: many may ask there at once.
  if (address.interaction !== null) return [ALL];
  // The thread of a question counts by itself, and is not made yet.
  const channel = address.kind === 'question' ? address.message : address.channel;
  return [{ key: `channel:${channel}`, ...CHANNEL }, ALL];
}

type SentMessage = z.infer<typeof sentMessageSchema>;

/** The answer to a command takes the place of "thinking"; a question in a channel gets a thread, or at least a reply. */
export async function deliver(
  part: OutboundPart,
  to: ConversationRef,
  account: DiscordAccount,
  tools: Tools,
): Promise<Receipt> {
  const content = parsePart(part);
  const address = parseAddress(to);
  const shown = await answerInteraction('original', content, { to, account, tools });
  if (shown !== null) return toReceipt(shown, to, withoutInteraction(address, content));
  if (content.interaction?.isPrivate === true) return await sendPrivately(content, { to, account, tools });
  const place = address.kind === 'question' ? await openThread(address, account, tools) : address;
  const nonce = part.key === undefined ? null : messageNonce(account.id, part.key);
  const outcome = await callDiscord(
    {
      method: 'POST',
      path: `/channels/${place.channel}/messages`,
      body: {
        ...buildMessageBody(content, to.lane),
        ...(place.kind === 'channel' && messageReference(content.replyTo ?? place.message)),
        ...(nonce !== null && { nonce, enforce_nonce: true }),
      },
      result: sentMessageSchema,
    },
    account,
    tools,
  );
  if (outcome.ok) return toReceipt(outcome.result, to, place === address ? null : place);
  const followed = isForbiddenOrGone(outcome.refusal)
    ? await answerInteraction('follow-up', content, { to, account, tools })
    : null;
  if (followed !== null) return toReceipt(followed, to, null);
  throw refusalError(outcome.refusal, tools.now());
}

/** Rather not said at all than said to everybody. */
async function sendPrivately(part: Part, context: DeliveryContext): Promise<Receipt> {
  const followed = await answerInteraction('follow-up', part, context);
  if (followed !== null) return toReceipt(followed, context.to, null);
  throw new ConnectorError(
    'What only one person is to see can be said for 15 minutes after a command or a press: that is over.',
    { advice: { retry: 'never' } },
  );
}

/** What was replied to may be gone. */
function messageReference(message: string | null): object {
  return message === null ? {} : { message_reference: { message_id: message, fail_if_not_exists: false } };
}

/** A command may be given where we cannot write: the token of it still can. */
function isForbiddenOrGone({ status }: Refusal): boolean {
  return status === 403 || status === 404;
}

/** The token of a command is good for one answer: what is said later would take its place. */
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

/** Discord's code for a command that it does not show as "thinking". */
const UNKNOWN = 10_015;
/** So long after a command it may still be on its way that it was heard. */
const FRESH_MS = 3_000;
const SOON_MS = 1_500;

interface DeliveryContext {
  readonly to: ConversationRef;
  readonly account: DiscordAccount;
  readonly tools: Tools;
}

/**
 * Says a part with the token of the command that it answers: in the place of "thinking", or after that. Null where that
 * is not possible any more.
 */
async function answerInteraction(
  as: 'original' | 'follow-up',
  part: Part,
  { to, account, tools }: DeliveryContext,
): Promise<z.infer<typeof sentMessageSchema> | null> {
  const { interaction } = part;
  if (interaction === null || interaction.goodUntil <= tools.now().getTime()) return null;
  if (as === 'original' && !canReplaceOriginal(part, parseAddress(to))) return null;
  const hook = `/webhooks/${account.credentials.application_id}/${interaction.token}`;
  const body = buildMessageBody(part, to.lane);
  const call = { token: interaction.token, result: sentMessageSchema };
  const outcome =
    as === 'original'
      ? await callDiscord(
          { ...call, body, method: 'PATCH', path: `${hook}/messages/@original` },
          account,
          tools,
        )
      : await callDiscord(
          { ...call, body: asEphemeral(body, part), method: 'POST', path: `${hook}?wait=true` },
          account,
          tools,
        );
  if (outcome.ok) return outcome.result;
  if (isNotAcknowledgedYet(outcome.refusal, interaction, tools.now())) {
    throw new ConnectorError('Discord does not show the command as heard yet.', {
      advice: { retry: 'after', afterMs: SOON_MS },
    });
  }
  if (isExpired(outcome.refusal)) return null;
  throw refusalError(outcome.refusal, tools.now());
}

/** What takes the place of "thinking" is seen by whom that is shown to; what follows it says so of itself. */
function asEphemeral<Body extends { flags?: number | undefined }>(body: Body, { interaction }: Part): Body {
  return interaction?.isPrivate === true ? { ...body, flags: (body.flags ?? 0) | EPHEMERAL } : body;
}

/** A person's word is not put over what we answered before. */
function canReplaceOriginal(
  { isFirst, author, interaction }: Part,
  { interaction: waiting }: Address,
): boolean {
  if (waiting?.token !== interaction?.token) return isFirst && author === 'bot';
  return isFirst && waiting?.isUsed !== true;
}

/** An answer may overtake the word that the command was heard: said elsewhere, it would leave "thinking" for good. */
function isNotAcknowledgedYet(
  { code }: Refusal,
  { goodUntil }: { readonly goodUntil: number },
  now: Date,
): boolean {
  const ageMs = now.getTime() - (goodUntil - INTERACTION_TOKEN_MS);
  // Clocks differ.
  return code === UNKNOWN && Math.abs(ageMs) < FRESH_MS;
}

/** It was never shown as "thinking", was deleted, or is too old. */
function isExpired({ status }: Refusal): boolean {
  return [401, 403, 404].includes(status);
}

type Question = Extract<Address, { kind: 'question' }>;
type Place = Extract<Address, { kind: 'thread' | 'channel' }>;

/** Discord's code for a message that a thread was made from already. */
const ALREADY_THERE = 160_004;

/** A thread has the id of the message that it is made from. Where none can be made, the answer is a reply. */
async function openThread(question: Question, account: DiscordAccount, tools: Tools): Promise<Place> {
  const { channel, message, user, title, interaction } = question;
  const path = `/channels/${channel}/messages/${message}/threads`;
  const outcome = await callDiscord(
    { method: 'POST', path, body: { name: title }, result: z.unknown() },
    account,
    tools,
  );
  if (outcome.ok || outcome.refusal.code === ALREADY_THERE) {
    return { kind: 'thread', channel: message, interaction };
  }
  if (!isPermanent(outcome.refusal)) throw refusalError(outcome.refusal, tools.now());
  tools.log.warn({ because: outcome.refusal.words }, 'no thread could be made: the answer is a reply');
  return { kind: 'channel', channel, user, message, interaction };
}

/** No permission, a channel of another kind, too many threads, or a question that was deleted meanwhile. */
function isPermanent({ status }: Refusal): boolean {
  return [400, 403, 404].includes(status);
}

type MessageBody = Pick<
  RESTPostAPIChannelMessageJSONBody,
  'content' | 'components' | 'flags' | 'allowed_mentions'
>;

const SUPPRESS_EMBEDS = 4;

/** Nobody is ever called by what we say, and no previews of links are shown. */
function buildMessageBody(part: Part, lane: string): MessageBody {
  const components = buildButtons(part, lane);
  return { content: part.text, components, flags: SUPPRESS_EMBEDS, allowed_mentions: { parse: [] } };
}

const ROW = 1;
const BUTTON = 2;
const GREY = 2;

type Row = APIActionRowComponent<APIButtonComponentWithCustomId>;

/** One row of buttons, or none. The signs say what they are in every language; only the person is named. */
function buildButtons({ offers, language }: Pick<Part, 'offers' | 'language'>, lane: string): Row[] {
  const button = (press: ButtonAction, emoji: string, label?: string): APIButtonComponentWithCustomId => ({
    type: BUTTON,
    style: GREY,
    emoji: { name: emoji },
    custom_id: formatButtonId(press, lane),
    ...(label !== undefined && { label }),
  });
  const buttons = [
    ...(offers.includes('feedback') ? [button('up', '👍'), button('down', '👎')] : []),
    ...(offers.includes('human') ? [button('human', '🙋', offerTexts(language).human)] : []),
  ];
  return buttons.length === 0 ? [] : [{ type: ROW, components: buttons }];
}

const MAX_CHARACTERS = 25;

/** The same for each try of a part, and no other's: Discord sends a message once for each within some minutes. */
function messageNonce(accountId: string, key: string): string {
  return createHash('sha256').update(`${accountId} ${key}`).digest('base64url').slice(0, MAX_CHARACTERS);
}

/** Of a message that was sent. */
const sentMessageSchema = z.object({ id: z.string(), channel_id: z.string() });

type Typing = NonNullable<Facets<DiscordAccount['credentials'], DiscordAccount['settings']>['typing']>;

export const typing: Typing = {
  /** Discord shows it for ten. */
  lastsMs: 8_000,

  /** A command that waits shows by itself that we are thinking. */
  async show(to, account, tools) {
    const { channel, interaction } = parseAddress(to);
    if (interaction !== null && interaction.goodUntil > tools.now().getTime()) return;
    const path = `/channels/${channel}/typing`;
    await callDiscordOrThrow({ method: 'POST', path, result: z.unknown() }, account, tools);
  },
};
