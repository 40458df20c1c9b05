import { z } from 'zod';
import type { ConversationRef } from '../../core/contract/account.ts';
import { ConnectorError } from '../../core/contract/connector-error.ts';
import type { Draft, Streaming, Typing } from '../../core/contract/facets.ts';
import type { OutboundPart } from '../../core/contract/outbound.ts';
import { callTelegramOrThrow } from './api-client.ts';
import { deliver, editMessage } from './deliver.ts';
import { parseAddress, parseMessageId } from './identifiers.ts';
import type { TelegramAccount } from './manifest.ts';
import { render } from './render.ts';

const stateSchema = z.object({ messageId: z.string() });

/** Shows answers by editing one message. Edits count against the chat's limit as messages do. */
export const createStreaming = (account: TelegramAccount): Streaming => ({
  everyMs: 1_100,

  /** A group allows 20 messages a minute, and the edits of one answer would use them up, so only private chats stream. */
  applies: (to) => account.settings.streaming === true && parseAddress(to).kind === 'private',

  async begin({ text, to }, tools) {
    const { messageId } = await deliver(firstPart(text, to, account), to, account, tools);
    return { state: { messageId } };
  },

  async show({ draft, text, shown, to }, tools) {
    const [part, previous] = [firstPart(text, to, account), firstPart(shown, to, account)];
    // Only the first message is streamed; text for further messages changes nothing yet.
    if (JSON.stringify(part) !== JSON.stringify(previous)) {
      await editMessage({ messageId: parseDraft(draft), part }, account, tools);
    }
    return draft;
  },

  async end({ draft, part }, tools) {
    const messageId = parseDraft(draft);
    await editMessage({ messageId, part }, account, tools);
    return { messageId };
  },

  async discard(draft, _to, tools) {
    const target = parseMessageId(parseDraft(draft));
    if (target === null) return;
    const params = { chat_id: target.chat, message_id: target.message };
    await callTelegramOrThrow({ method: 'deleteMessage', params, result: z.unknown() }, account, tools);
  },
});

function firstPart(text: string, to: ConversationRef, account: TelegramAccount): OutboundPart {
  const draft = { author: 'bot', text, sources: [], replyTo: null, offers: [], handover: false } as const;
  const [first] = render(draft, to, account);
  if (first !== undefined) return first;
  throw new ConnectorError('The draft has no text to show.', { advice: { retry: 'never' } });
}

function parseDraft({ state }: Draft): string {
  const parsed = stateSchema.safeParse(state);
  if (parsed.success) return parsed.data.messageId;
  throw new ConnectorError('The stored state is not a Telegram draft.', { advice: { retry: 'never' } });
}

export const createTyping = (account: TelegramAccount): Typing => ({
  lastsMs: 5_000,

  /** Unlike `sendMessage`, `sendChatAction` requires the id of the General topic. */
  async show(to, tools) {
    const { chat, topic } = parseAddress(to);
    const params = {
      chat_id: chat,
      action: 'typing' as const,
      ...(topic === null ? {} : { message_thread_id: topic }),
    };
    await callTelegramOrThrow({ method: 'sendChatAction', params, result: z.unknown() }, account, tools);
  },
});
