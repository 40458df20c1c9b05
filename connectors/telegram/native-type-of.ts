import { z } from 'zod';
import type { Json } from '../../core/contract/account.ts';

const anything = z.record(z.string(), z.unknown());

/** What every message has: its kind is what it has besides. */
const usual =
  /^(message_id|message_thread_id|from|sender_.*|chat|date|edit_date|is_.*|has_.*|reply_to_.*|via_bot)$/;

/** For the log: `message_reaction`, `channel_post.text`, `message.pinned_message`. */
export function nativeTypeOf(native: Json): string {
  const update = anything.safeParse(native).data ?? {};
  const type = Object.keys(update).find((key) => key !== 'update_id');
  if (type === undefined) return 'nothing';
  const content = anything.safeParse(update[type]).data ?? {};
  const kind = type.endsWith('message') && Object.keys(content).find((key) => !usual.test(key));
  return kind ? `${type}.${kind}` : type;
}
