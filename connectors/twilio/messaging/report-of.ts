import type { InboundEvent } from '../../../core/contract/inbound.ts';
import { errorText } from '../error-texts.ts';
import type { Fields } from './fields-schema.ts';

const OUTCOMES = { delivered: 'delivered', read: 'read', failed: 'failed', undelivered: 'failed' } as const;

/** What became of a message of ours. That it is on its way is no news. */
export function reportOf(
  {
    MessageSid: messageId,
    ErrorCode,
    ErrorMessage,
  }: Pick<Fields, 'MessageSid' | 'ErrorCode' | 'ErrorMessage'>,
  status: string,
): InboundEvent {
  const outcome = Object.entries(OUTCOMES).find(([name]) => name === status)?.[1];
  if (outcome === undefined) return { type: 'unsupported', nativeType: `a message that is ${status}` };
  const because = ErrorCode === null ? ErrorMessage : errorText(Number(ErrorCode), ErrorMessage);
  return { type: 'delivery-reported', messageId, outcome, because: outcome === 'failed' ? because : null };
}
