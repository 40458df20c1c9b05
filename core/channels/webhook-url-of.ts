/** Where the platform of a channel posts; null where nobody knows at which address the world reaches this server. */
export function webhookUrlOf(id: string, publicUrl: string | undefined): string | null {
  return publicUrl === undefined ? null : `${publicUrl}/webhooks/${id}`;
}
