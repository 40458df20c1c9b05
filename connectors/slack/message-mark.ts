import { z } from 'zod';
import type { OutboundPart } from '../../core/contract/outbound.ts';
import type { SlackAccount } from './manifest.ts';

const EVENT = 'parley_message';

/** As Slack tells it again to who asks for it. */
export const markSchema = z.object({
  event_type: z.literal(EVENT),
  event_payload: z.object({ account: z.string(), part: z.string() }),
});

export type MessageMark = z.infer<typeof markSchema>;

/** Goes with a message, where people do not see it, and tells it from every other; null for one that has no key. */
export function messageMark(
  { key }: Pick<OutboundPart, 'key'>,
  { id }: Pick<SlackAccount, 'id'>,
): MessageMark | null {
  return key === undefined ? null : { event_type: EVENT, event_payload: { account: id, part: key } };
}
