import type { Json } from '../../core/contract/account.ts';
import type { Delivery } from '../../core/contract/inbound.ts';
import { happeningOf } from './happening-of.ts';
import type { SlackAccount } from './manifest.ts';
import { nativeTypeOf } from './native-type-of.ts';
import { mayBeOfOthers } from './tenant-of.ts';

/** Slack does not keep to an order, and tells at once again what it could not tell. */
const OVERTAKEN_MS = 2_000;

/** What is stored of a payload, or why nothing is. */
export function deliveryOf(
  native: Json,
  account: SlackAccount,
): { readonly delivery: Delivery } | { readonly because: string } {
  const happening = happeningOf(native, account);
  if (happening === null) return { because: `nothing is done about ${nativeTypeOf(native)}` };
  const { id, tenant, event, passedOver } = happening;
  if (passedOver !== null) return { because: `${nativeTypeOf(native)}: ${passedOver}` };
  const lane = 'conversation' in event ? event.conversation.lane : `${tenant}/account`;
  // A follow-up that comes before its mention would pass for the talk of others.
  const mayBeEarly = event.type === 'message' && event.addressed === 'joined';
  return {
    delivery: {
      id,
      lane,
      native,
      ...(mayBeOfOthers(tenant, account) && { tenant }),
      ...(mayBeEarly && { settleIfFirstMs: OVERTAKEN_MS }),
    },
  };
}
