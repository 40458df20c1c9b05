/** What an operator pastes into Twilio's Console, as far as it is known before the channel is added. */
export function guideAddress(webhookUrl: string | null): string {
  return webhookUrl ?? 'PUBLIC_URL, which is absent here, followed by /webhooks/ and the id of the channel';
}
