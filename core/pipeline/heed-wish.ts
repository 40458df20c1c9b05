import type { InboundEvent } from '../contract/inbound-event.ts';

/** Shown with what is said by somebody who wants nothing to be said to him. */
const WISH = 'the visitor asked us not to write to him';

/**
 * What an event means where its visitor asked us not to write to him, or did not: what he says is kept for people then,
 * unless it is that we may write again. Pure.
 */
export function heedWish(
  event: InboundEvent,
  { isOptedOut }: { readonly isOptedOut: boolean },
): InboundEvent {
  if (event.type !== 'message') return event;
  if (event.command === 'resume') {
    return isOptedOut
      ? { type: 'reachable', conversation: event.conversation, reachable: true, wished: true }
      : { ...event, command: null };
  }
  return isOptedOut ? { ...event, command: null, parked: event.parked ?? WISH } : event;
}
