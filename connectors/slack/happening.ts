import type { InboundEvent } from '../../core/contract/inbound.ts';

/** What a payload of Slack tells. */
export interface Happening {
  /** The same when Slack tells it again, also where it does so in another kind of event. */
  readonly id: string;
  readonly tenant: string;
  readonly event: InboundEvent;
  /** Why nothing has to be done about it, so that it is not even stored; null where something has. */
  readonly passedOver: string | null;
}
