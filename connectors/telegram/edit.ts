import { z } from 'zod';
import type { Tools } from '../../core/contract/account.ts';
import { ConnectorError } from '../../core/contract/connector-error.ts';
import type { OutboundPart } from '../../core/contract/outbound.ts';
import { callTelegram } from './call-telegram.ts';
import { markupOf } from './keyboard.ts';
import type { TelegramAccount } from './manifest.ts';
import { readMessageId } from './message-id.ts';
import { partOf } from './part.ts';
import { refusalError } from './refusal.ts';
import { refusesMarkup } from './refuses-markup.ts';

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
