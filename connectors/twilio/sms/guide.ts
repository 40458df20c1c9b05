import type { GuideFacts } from '../../../core/contract/facets.ts';
import { guideAddress } from '../guide-address.ts';

/** What an operator does in Twilio's Console. */
export function guide({ webhookUrl }: Pick<GuideFacts, 'webhookUrl'>): string {
  return [
    'In the Twilio Console, under Phone Numbers, Manage, Active numbers, open the number.',
    `1. Messaging Configuration, "A message comes in": Webhook, ${guideAddress(webhookUrl)}, HTTP POST. Of a messaging service the same under Integration.`,
    '2. To write to the United States from a number of ten digits, register it for 10DLC under Messaging, Regulatory compliance: carriers drop what comes from others without a word to the visitor. A toll-free number wants to be verified there.',
    '3. Where the registration is rejected with 30893, 30909 or 30923: sample messages have to be what is really sent, the message flow has to say how visitors come to write to you, and nobody may have to agree to messages to be served.',
  ].join('\n');
}
