import type { Json } from '../../core/contract/account.ts';
import type { InboundEvent } from '../../core/contract/inbound.ts';
import { happeningOf } from './happening-of.ts';
import type { SlackAccount } from './manifest.ts';
import { nativeTypeOf } from './native-type-of.ts';

export function normalise(native: Json, account: SlackAccount): readonly InboundEvent[] {
  return [happeningOf(native, account)?.event ?? { type: 'unsupported', nativeType: nativeTypeOf(native) }];
}
