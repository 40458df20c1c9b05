import type { GuideFacts } from '../../core/contract/facets.ts';
import { inviteLink } from './invite-link.ts';

/** What an operator does in Discord's Developer Portal. */
export function guide({ name, webhookUrl }: GuideFacts): string {
  return `${name} on Discord:

1. https://discord.com/developers/applications → "New Application". Its name is what people see.
2. "General Information": copy the Application ID (application_id) and the Public Key (public_key).
3. "Bot" → "Reset Token": copy the token (bot_token); it is shown once. No privileged intent is needed. With "Message
   Content Intent" switched on, follow-ups in a thread need no mention of the bot.
4. "Installation" → Install Link: "None", so that nobody adds the bot with other permissions than these.
5. Open this link, with your Application ID in it, and choose the server:
   ${inviteLink('APPLICATION_ID')}
   It asks for: View Channels, Send Messages, Create Public Threads, Send Messages in Threads, Read Message History.
6. Add the channel, with what you copied in variables of your shell:

   npm run parley -- channel add discord --name "${name}" --credential-env bot_token=DISCORD_BOT_TOKEN --credential-env public_key=DISCORD_PUBLIC_KEY --credential-env application_id=DISCORD_APPLICATION_ID
${endpointNote(webhookUrl)}
Then mention the bot in the server, or give the command /ask: Parley registers /ask and /human by itself.
`;
}

function endpointNote(webhookUrl: string | null): string {
  if (webhookUrl === null) return '';
  return `7. Leave "Interactions Endpoint URL" empty. With mode=interactions Parley enters it by itself:
   ${webhookUrl}
`;
}
