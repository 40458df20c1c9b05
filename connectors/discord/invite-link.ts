/** By their bits. All that is done needs no others. */
const PERMISSIONS = {
  viewChannel: 1n << 10n,
  sendMessages: 1n << 11n,
  readMessageHistory: 1n << 16n,
  createPublicThreads: 1n << 35n,
  sendMessagesInThreads: 1n << 38n,
};

/** Where a person lets the bot into his server, with its commands and exactly the permissions that it needs. */
export function inviteLink(applicationId: string): string {
  const permissions = Object.values(PERMISSIONS).reduce((all, one) => all | one, 0n);
  const url = new URL('https://discord.com/oauth2/authorize');
  url.search = new URLSearchParams({
    client_id: applicationId,
    scope: 'bot applications.commands',
    permissions: String(permissions),
  }).toString();
  return url.href;
}
