import { z } from 'zod';
import type { Json } from '../../core/contract/account.ts';
import type { Delivery } from '../../core/contract/inbound.ts';
import type { HttpAnswer, WebhookIntake } from '../../core/contract/webhook.ts';
import { isSameSecret } from '../shared/http.ts';
import { optionalField, parseJson } from '../shared/payload.ts';
import { laneKey } from './identifiers.ts';
import type { TelegramAccount } from './manifest.ts';

/** A body with `method` would be taken for a call: Telegram is told no more than that it was heard. */
const respond: HttpAnswer = { status: 200 };

export const webhook: WebhookIntake<TelegramAccount['credentials'], TelegramAccount['settings']> = {
  verify: ({ headers }, { secret }) => isSameSecret(headers['x-telegram-bot-api-secret-token'], secret),

  read({ body }) {
    const native = parseJson(body);
    if (native === undefined) return { kind: 'ignored', because: 'the body is not JSON', respond };
    const delivery = toDelivery(native);
    if (delivery === null) return { kind: 'ignored', because: 'the body is not an update', respond };
    return { kind: 'deliveries', deliveries: [delivery], respond };
  },
};

/** Telegram sends the pictures of an album one by one, within a second or so. */
const ALBUM_MS = 1_200;

const locatedSchema = z.object({
  chat: z.object({ id: z.int() }),
  message_thread_id: optionalField(z.int()),
  is_topic_message: optionalField(z.boolean()),
  media_group_id: optionalField(z.string()),
});

const deliverySchema = z.object({
  update_id: z.int(),
  message: optionalField(locatedSchema),
  edited_message: optionalField(locatedSchema),
  my_chat_member: optionalField(locatedSchema),
  callback_query: optionalField(z.object({ message: optionalField(locatedSchema) })),
});

/** Null for what is no update. */
export function toDelivery(native: Json): Delivery | null {
  const read = deliverySchema.safeParse(native);
  if (!read.success) return null;
  const { update_id, message, edited_message, my_chat_member, callback_query: press } = read.data;
  const what = message ?? edited_message ?? my_chat_member ?? press?.message ?? null;
  const topic = what?.is_topic_message === true ? what.message_thread_id : null;
  return {
    id: String(update_id),
    // What belongs to no chat disturbs no conversation.
    lane: what === null ? 'others' : laneKey(what.chat.id, topic),
    native,
    ...(message?.media_group_id ? { settleMs: ALBUM_MS } : {}),
    ...(press === null ? {} : { acknowledge: true as const }),
  };
}
