import { z } from 'zod';
import type { Json } from '../../core/contract/account.ts';
import type { Delivery } from '../../core/contract/inbound.ts';
import type { HttpAnswer, WebhookIntake } from '../../core/contract/webhook.ts';
import { isSameSecret, optionalField, parseJson } from '../shared/http.ts';
import { laneKey } from './identifiers.ts';
import type { TelegramAccount } from './manifest.ts';

/** The body is empty: Telegram would execute a body with `method` as a call. */
const respond: HttpAnswer = { status: 200 };

export const createWebhook = ({ secret }: TelegramAccount): WebhookIntake => ({
  verify: ({ headers }) => isSameSecret(headers['x-telegram-bot-api-secret-token'], secret),

  read({ body }) {
    const native = parseJson(body);
    if (native === undefined) return { kind: 'ignored', because: 'the body is not JSON', respond };
    const delivery = toDelivery(native);
    if (delivery === null) return { kind: 'ignored', because: 'the body is not an update', respond };
    return { kind: 'deliveries', deliveries: [delivery], respond };
  },
});

/** Telegram sends the pictures of an album one by one, within about a second. */
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

/** Returns the delivery of an update; null if the value is not an update. */
export function toDelivery(native: Json): Delivery | null {
  const parsed = deliverySchema.safeParse(native);
  if (!parsed.success) return null;
  const { update_id, message, edited_message, my_chat_member, callback_query: press } = parsed.data;
  const located = message ?? edited_message ?? my_chat_member ?? press?.message ?? null;
  const topic = located?.is_topic_message === true ? located.message_thread_id : null;
  return {
    id: String(update_id),
    // Updates without a chat get a lane of their own, so that they delay no conversation.
    lane: located === null ? 'others' : laneKey(located.chat.id, topic),
    native,
    ...(message?.media_group_id ? { settleMs: ALBUM_MS } : {}),
    ...(press === null ? {} : { acknowledge: true as const }),
  };
}
