import type { GuideFacts } from '../../core/contract/facets.ts';
import { topicNames } from './deliveries-of.ts';

/** What is done in Intercom's Developer Hub. */
export function guide({ name, webhookUrl }: GuideFacts): string {
  const address = webhookUrl ?? 'the webhook_url of the channel, which is there once PUBLIC_URL is set';
  return [
    `1. In Intercom, invite a teammate that nobody works as, such as "${name}", with an inbox seat: it is who answers.`,
    '2. In the Developer Hub (Settings > Integrations > Developer Hub) make a new app for your workspace.',
    '3. Configure > Authentication: copy the access token. It needs to read and write conversations, and to read admins.',
    '4. Configure > Basic information: copy the client secret.',
    '5. Add the channel with access_token and client_secret, and admin_id, the number in the address of that teammate’s page.',
    `6. Configure > Webhooks: paste ${address} as the endpoint, and subscribe to`,
    ...topicNames.map((topic) => `   - ${topic}`),
    '7. Save, and send the test request there: the channel has then been heard of.',
    '8. Switch off Fin and the workflows that answer in conversations in which the bot is to answer.',
  ].join('\n');
}
