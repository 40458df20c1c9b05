import { z } from 'zod';
import type { ConversationRef } from '../../core/contract/account.ts';
import { ConnectorError } from '../../core/contract/connector-error.ts';
import type { SlackAccount } from './manifest.ts';

const schema = z.object({
  /** Whose installation it is in: a team's, or that of an organisation of several. */
  tenant: z.string(),
  team: z.string(),
  channel: z.string(),
  /** Where answers go: the message that the thread begins with. Null where nothing was said yet. */
  thread: z.string().nullable(),
  /** Whom they are for, and his team: Slack wants to know where it shows them while they are written. */
  user: z.string().nullable(),
  userTeam: z.string().nullable(),
});

export type Address = z.infer<typeof schema>;

/** A direct message with us, as Slack names those. */
export function isDirect(channel: string): boolean {
  return channel.startsWith('D');
}

export function conversationAt(
  address: Address,
  { settings }: Pick<SlackAccount, 'settings'>,
): ConversationRef {
  const { tenant, channel, thread } = address;
  const isOne = thread === null || (isDirect(channel) && settings.direct_messages === 'one');
  return { lane: isOne ? `${tenant}/${channel}` : `${tenant}/${channel}/${thread}`, address };
}

export function addressOf(conversation: ConversationRef): Address {
  const read = schema.safeParse(conversation.address);
  if (read.success) return read.data;
  throw new ConnectorError('This is not the address of a conversation in Slack.', {
    advice: { retry: 'never' },
  });
}
