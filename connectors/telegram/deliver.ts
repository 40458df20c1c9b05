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

/** 30 a second in all, with a burst in it. */
const ALL: Budget = { key: 'all', everyMs: 40, burst: 5 };
const PRIVATE_MS = 1_000;
/** 20 a minute, and a little slower than that. */
const GROUP_MS = 3_100;

/** Topics share what their chat may be sent. */
export function budgets(to: ConversationRef, { settings }: TelegramAccount): readonly Budget[] {
  if (settings.pace === false) return [];
  const { chat, kind } = parseAddress(to);
  return [{ key: `chat:${chat}`, everyMs: kind === 'private' ? PRIVATE_MS : GROUP_MS, burst: 1 }, ALL];
}

const result = z.object({ message_id: z.int(), chat: z.object({ id: z.int() }) });

/** One that Telegram refused because of its markup is sent plain; one to a group that moved goes after it. */
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
  for (;;) {
    const params = messageParams(content, address, plain);
    const outcome = await callTelegram({ method: 'sendMessage', params, result }, account, tools);
    if (outcome.ok) {
      const { chat, message_id: message } = outcome.result;
      const messageId = formatMessageId({ chat: chat.id, message });
      return address === from ? { messageId } : { messageId, moved: toConversationRef(address) };
    }
    const { refusal } = outcome;
    if (refusal.movedTo !== null && address === from) {
      address = { chat: refusal.movedTo, kind: 'supergroup', topic: null };
    } else if (isMarkupRefused(refusal) && !plain) {
      tools.log.warn(
        { because: refusal.words },
        'Telegram refused the markup of a message: it goes out plain',
      );
      plain = true;
    } else throw refusalError(refusal, tools.now());
  }
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

/** Telegram also refuses to change a message to what it is already: that is what was wanted. */
export async function editMessage(
  sent: { readonly messageId: string; readonly part: OutboundPart },
  account: TelegramAccount,
  tools: Tools,
): Promise<void> {
  const place = parseMessageId(sent.messageId);
  if (place === null)
    throw new ConnectorError('Telegram sent no such message.', { advice: { retry: 'never' } });
  const { html, text, keyboard } = parsePart(sent.part);
  const change = (content: { text: string; parse_mode?: 'HTML' }) => {
    const options = { link_preview_options: { is_disabled: true }, ...replyMarkup(keyboard) };
    const params = { chat_id: place.chat, message_id: place.message, ...content, ...options };
    return callTelegram({ method: 'editMessageText', params, result: z.unknown() }, account, tools);
  };
  const first = await change({ text: html, parse_mode: 'HTML' });
  const outcome = !first.ok && isMarkupRefused(first.refusal) ? await change({ text }) : first;
  if (!outcome.ok && !outcome.refusal.words.includes('message is not modified'))
    throw refusalError(outcome.refusal, tools.now());
}

/** "can't parse entities: …", "ENTITY_BOUNDS_INVALID", "unsupported start tag": the text itself is not at fault. */
function isMarkupRefused({ code, words }: Refusal): boolean {
  return code === 400 && /entit|parse|\btag\b/i.test(words);
}
