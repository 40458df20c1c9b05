import { z } from 'zod';
import type { ConversationRef, Tools } from '../../core/contract/account.ts';
import { ConnectorError } from '../../core/contract/connector-error.ts';
import type { Budget, OutboundPart, Receipt } from '../../core/contract/outbound.ts';
import { callTelegram, type Refusal, refusalError } from './api-client.ts';
import { replyMarkup } from './buttons.ts';
import {
  type Address,
  formatMessageId,
  parseAddress,
  parseMessageId,
  toConversationRef,
  topicParameter,
} from './identifiers.ts';
import type { TelegramAccount } from './manifest.ts';
import { type Part, parsePart } from './render.ts';

/** Telegram allows 30 messages a second in total; 25 and a burst of 5 keep to that. */
const BOT_BUDGET: Budget = { key: 'all', everyMs: 40, burst: 5 };
const PRIVATE_MS = 1_000;
/** Telegram allows 20 messages a minute in a group; this is slightly slower. */
const GROUP_MS = 3_100;

/** Returns the send budgets of a conversation. All topics of a chat share the chat's budget. */
export function budgets(to: ConversationRef, { settings }: TelegramAccount): readonly Budget[] {
  if (settings.pace === false) return [];
  const { chat, kind } = parseAddress(to);
  return [{ key: `chat:${chat}`, everyMs: kind === 'private' ? PRIVATE_MS : GROUP_MS, burst: 1 }, BOT_BUDGET];
}

const result = z.object({ message_id: z.int(), chat: z.object({ id: z.int() }) });

/**
 * Sends a part. If Telegram refuses the markup, sends plain text; if it cannot fetch a file, sends its link; if the group was
 * upgraded, sends to the supergroup.
 */
export async function deliver(
  part: OutboundPart,
  to: ConversationRef,
  account: TelegramAccount,
  tools: Tools,
): Promise<Receipt> {
  const content = parsePart(part);
  const from = parseAddress(to);
  let address = from;
  let plain = false;
  let { file } = content;
  for (;;) {
    const params = messageParams(content, address, plain);
    const outcome = file
      ? await sendFile(file, address, account, tools)
      : await callTelegram({ method: 'sendMessage', params, result }, account, tools);
    if (outcome.ok) {
      const { chat, message_id: message } = outcome.result;
      const messageId = formatMessageId({ chat: chat.id, message });
      return address === from ? { messageId } : { messageId, moved: toConversationRef(address) };
    }
    const { refusal } = outcome;
    if (refusal.movedTo !== null && address === from) {
      address = { chat: refusal.movedTo, kind: 'supergroup', topic: null };
    } else if (
      file !== undefined &&
      refusal.code === 400 &&
      !refusalError(refusal, tools.now()).unreachable
    ) {
      tools.log.warn({ because: refusal.message }, 'file refused, link sent');
      file = undefined;
    } else if (isMarkupRefused(refusal) && !plain) {
      tools.log.warn({ because: refusal.message }, 'message markup refused, plain text sent');
      plain = true;
    } else throw refusalError(refusal, tools.now());
  }
}

function sendFile(
  { method, name, url }: NonNullable<Part['file']>,
  address: Address,
  account: TelegramAccount,
  tools: Tools,
) {
  const params = { chat_id: address.chat, ...topicParameter(address), caption: name };
  return method === 'sendPhoto'
    ? callTelegram({ method, params: { ...params, photo: url }, result }, account, tools)
    : callTelegram({ method, params: { ...params, document: url }, result }, account, tools);
}

function messageParams(part: Part, address: Address, plain: boolean) {
  return {
    chat_id: address.chat,
    ...topicParameter(address),
    ...(plain ? { text: part.text } : { text: part.html, parse_mode: 'HTML' as const }),
    link_preview_options: { is_disabled: true },
    ...replyMarkup(part.keyboard),
    ...(part.replyTo === null
      ? {}
      : { reply_parameters: { message_id: part.replyTo, allow_sending_without_reply: true } }),
  };
}

/** Replaces the content of a message. Telegram refuses an edit without a change, which counts as success here. */
export async function editMessage(
  sent: { readonly messageId: string; readonly part: OutboundPart },
  account: TelegramAccount,
  tools: Tools,
): Promise<void> {
  const target = parseMessageId(sent.messageId);
  if (target === null)
    throw new ConnectorError('The stored message id is not a Telegram message.', {
      advice: { retry: 'never' },
    });
  const { html, text, keyboard } = parsePart(sent.part);
  const edit = (content: { text: string; parse_mode?: 'HTML' }) => {
    const options = { link_preview_options: { is_disabled: true }, ...replyMarkup(keyboard) };
    const params = { chat_id: target.chat, message_id: target.message, ...content, ...options };
    return callTelegram({ method: 'editMessageText', params, result: z.unknown() }, account, tools);
  };
  const first = await edit({ text: html, parse_mode: 'HTML' });
  const outcome = !first.ok && isMarkupRefused(first.refusal) ? await edit({ text }) : first;
  if (!outcome.ok && !outcome.refusal.message.includes('message is not modified'))
    throw refusalError(outcome.refusal, tools.now());
}

/** Matches "can't parse entities: …", "ENTITY_BOUNDS_INVALID" and "unsupported start tag"; the plain text may be accepted. */
function isMarkupRefused({ code, message }: Refusal): boolean {
  return code === 400 && /entit|parse|\btag\b/i.test(message);
}
