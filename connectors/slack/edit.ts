import type { ConversationRef } from '../../core/contract/account.ts';
import { ConnectorError } from '../../core/contract/connector-error.ts';
import type { OutboundPart } from '../../core/contract/reply.ts';
import type { Tools } from '../../core/contract/tools.ts';
import { addressOf } from './address.ts';
import { changePart } from './change-part.ts';
import type { SlackAccount } from './manifest.ts';
import { readMessageId } from './message-id.ts';
import { partOf } from './part.ts';

export async function edit(
  sent: { readonly messageId: string; readonly part: OutboundPart; readonly to: ConversationRef },
  account: SlackAccount,
  tools: Tools,
): Promise<void> {
  const place = readMessageId(sent.messageId);
  if (place === null) throw new ConnectorError('Slack sent no such message.', { advice: { retry: 'never' } });
  const address = { channel: place.channel, team: addressOf(sent.to).team };
  await changePart(partOf(sent.part), { ts: place.ts, address }, account, tools);
}
