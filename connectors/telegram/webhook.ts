import { z } from 'zod';
import type { Json } from '../../core/contract/account.ts';
import type { Delivery } from '../../core/contract/inbound.ts';
import type { HttpAnswer, WebhookIntake } from '../../core/contract/webhook.ts';
import { sameSecret } from '../shared/http.ts';
import { lenient, readJson } from '../shared/payload.ts';
import { laneOf } from './identifiers.ts';
import type { TelegramAccount } from './manifest.ts';

/** A body with `method` would be taken for a call: Telegram is told no more than that it was heard. */
const respond: HttpAnswer = { status: 200 };

export const webhook: WebhookIntake<TelegramAccount['credentials'], TelegramAccount['settings']> = {
  verify: ({ headers }, { secret }) => sameSecret(headers['x-telegram-bot-api-secret-token'], secret),

  read({ body }) {
    const native = readJson(body);
    if (native === undefined) return { kind: 'ignored', because: 'the body is not JSON', respond };
    const delivery = deliveryOf(native);
    if (delivery === null) return { kind: 'ignored', because: 'the body is not an update', respond };
    return { kind: 'deliveries', deliveries: [delivery], respond };
  },
};

/** Telegram sends the pictures of an album one by one, within a second or so. */
const ALBUM_MS = 1_200;

const happened = z.object({
  chat: z.object({ id: z.int() }),
  message_thread_id: lenient(z.int()),
  is_topic_message: lenient(z.boolean()),
  media_group_id: lenient(z.string()),
});

const schema = z.object({
  update_id: z.int(),
  message: lenient(happened),
  edited_message: lenient(happened),
  my_chat_member: lenient(happened),
  callback_query: lenient(z.object({ message: lenient(happened) })),
});

/** Null for what is no update. */
export function deliveryOf(native: Json): Delivery | null {
  const read = schema.safeParse(native);
  if (!read.success) return null;
  const { update_id, message, edited_message, my_chat_member, callback_query: press } = read.data;
  const what = message ?? edited_message ?? my_chat_member ?? press?.message ?? null;
  const topic = what?.is_topic_message === true ? what.message_thread_id : null;
  return {
    id: String(update_id),
    // What belongs to no chat disturbs no conversation.
    lane: what === null ? 'others' : laneOf(what.chat.id, topic),
    native,
    ...(message?.media_group_id ? { settleMs: ALBUM_MS } : {}),
    ...(press === null ? {} : { acknowledge: true as const }),
  };
}
