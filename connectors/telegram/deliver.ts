import { z } from 'zod';
import type { ConversationRef, Tools } from '../../core/contract/account.ts';
import { ConnectorError } from '../../core/contract/connector-error.ts';
import type { Budget, OutboundPart, Receipt } from '../../core/contract/outbound.ts';
import { callTelegram, type Refusal, refusalError } from './api-client.ts';
import { markupOf } from './buttons.ts';
import {
  type Address,
  addressOf,
  conversationAt,
  readMessageId,
  topicToSendTo,
  writeMessageId,
} from './identifiers.ts';
import type { TelegramAccount } from './manifest.ts';
import { type Part, partOf } from './render.ts';

/** 30 a second in all, with a burst in it. */
const ALL: Budget = { key: 'all', everyMs: 40, burst: 5 };
const PRIVATE_MS = 1_000;
/** 20 a minute, and a little slower than that. */
const GROUP_MS = 3_100;

/** Topics share what their chat may be sent. */
export function budgets(to: ConversationRef, { settings }: TelegramAccount): readonly Budget[] {
  if (settings.pace === false) return [];
  const { chat, kind } = addressOf(to);
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
  const content = partOf(part);
  const from = addressOf(to);
  let address = from;
  let plain = false;
  for (;;) {
    const params = messageOf(content, address, plain);
    const outcome = await callTelegram({ method: 'sendMessage', params, result }, account, tools);
    if (outcome.ok) {
      const { chat, message_id: message } = outcome.result;
      const messageId = writeMessageId({ chat: chat.id, message });
      return address === from ? { messageId } : { messageId, moved: conversationAt(address) };
    }
    const { refusal } = outcome;
    if (refusal.movedTo !== null && address === from) {
      address = { chat: refusal.movedTo, kind: 'supergroup', topic: null };
    } else if (refusesMarkup(refusal) && !plain) {
      tools.log.warn(
        { because: refusal.words },
        'Telegram refused the markup of a message: it goes out plain',
      );
      plain = true;
    } else throw refusalError(refusal, tools.now());
  }
}

function messageOf(part: Part, address: Address, plain: boolean) {
  return {
    chat_id: address.chat,
    ...topicToSendTo(address),
    ...(plain ? { text: part.text } : { text: part.html, parse_mode: 'HTML' as const }),
    link_preview_options: { is_disabled: true },
    ...markupOf(part.keyboard),
    ...(part.replyTo === null
      ? {}
      : { reply_parameters: { message_id: part.replyTo, allow_sending_without_reply: true } }),
  };
}

/** Telegram also refuses to change a message to what it is already: that is what was wanted. */
export async function edit(
  sent: { readonly messageId: string; readonly part: OutboundPart },
  account: TelegramAccount,
  tools: Tools,
): Promise<void> {
  const place = readMessageId(sent.messageId);
  if (place === null)
    throw new ConnectorError('Telegram sent no such message.', { advice: { retry: 'never' } });
  const { html, text, keyboard } = partOf(sent.part);
  const change = (content: { text: string; parse_mode?: 'HTML' }) => {
    const options = { link_preview_options: { is_disabled: true }, ...markupOf(keyboard) };
    const params = { chat_id: place.chat, message_id: place.message, ...content, ...options };
    return callTelegram({ method: 'editMessageText', params, result: z.unknown() }, account, tools);
  };
  const first = await change({ text: html, parse_mode: 'HTML' });
  const outcome = !first.ok && refusesMarkup(first.refusal) ? await change({ text }) : first;
  if (!outcome.ok && !outcome.refusal.words.includes('message is not modified'))
    throw refusalError(outcome.refusal, tools.now());
}

/** "can't parse entities: …", "ENTITY_BOUNDS_INVALID", "unsupported start tag": the text itself is not at fault. */
function refusesMarkup({ code, words }: Refusal): boolean {
  return code === 400 && /entit|parse|\btag\b/i.test(words);
}
