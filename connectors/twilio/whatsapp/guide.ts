import type { GuideFacts } from '../../../core/contract/facets.ts';
import { guideAddress } from '../guide-address.ts';

/** What an operator does in Twilio's Console. */
export function guide({ webhookUrl }: Pick<GuideFacts, 'webhookUrl'>): string {
  return [
    'In the Twilio Console, under Messaging, Senders, WhatsApp senders, open the sender.',
    `1. "Webhook URL for incoming messages": ${guideAddress(webhookUrl)}, HTTP POST. In the sandbox it stands under Sandbox settings.`,
    '2. For replies that are more than 24 hours late: make a template in the Content Template Builder, have it approved by WhatsApp, and set `templates.reply.content_sid` to its sid.',
  ].join('\n');
}
