import type { GuideFacts } from '../../../core/contract/facets.ts';
import { guideAddress } from '../guide-address.ts';

/** What an operator does in Twilio's Console. */
export function guide({ webhookUrl }: Pick<GuideFacts, 'webhookUrl'>): string {
  const address = guideAddress(webhookUrl);
  return [
    'In the Twilio Console, under Phone Numbers, Manage, Active numbers, open the number.',
    `1. Voice Configuration, "A call comes in": Webhook, ${address}, HTTP POST.`,
    '2. "Call status changes": the same address, HTTP POST: a call that ends is known of at once.',
    '3. For `relay`: under Voice, Settings, General, accept the addendum on AI features, and have an https address.',
  ].join('\n');
}
