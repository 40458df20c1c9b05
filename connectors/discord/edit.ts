import { z } from 'zod';
import type { ConversationRef } from '../../core/contract/account.ts';
import { ConnectorError } from '../../core/contract/connector-error.ts';
import type { OutboundPart } from '../../core/contract/reply.ts';
import type { Tools } from '../../core/contract/tools.ts';
import { demandDiscord } from './call-discord.ts';
import type { DiscordAccount } from './manifest.ts';
import { messageBody } from './message-body.ts';
import { readMessageId } from './message-id.ts';
import { partOf } from './part.ts';

export async function edit(
  sent: { readonly messageId: string; readonly part: OutboundPart; readonly to: ConversationRef },
  account: DiscordAccount,
  tools: Tools,
): Promise<void> {
  const place = readMessageId(sent.messageId);
  if (place === null)
    throw new ConnectorError('Discord sent no such message.', { advice: { retry: 'never' } });
  const path = `/channels/${place.channel}/messages/${place.message}`;
  const body = messageBody(partOf(sent.part), sent.to.lane);
  await demandDiscord({ method: 'PATCH', path, body, result: z.unknown() }, account, tools);
}
