import { z } from 'zod';
import type { ConversationRef, Json } from '../../core/contract/account.ts';
import { ConnectorError } from '../../core/contract/connector-error.ts';
import { lenient } from '../shared/lenient.ts';
import { snowflake } from './snowflake.ts';
import { waitingCommand } from './waiting-command.ts';

const asked = {
  channel: snowflake,
  interaction: lenient(waitingCommand),
};

const schema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('direct'), ...asked }),
  /** Also a post of a forum. */
  z.object({ kind: z.literal('thread'), ...asked }),
  /** In a text channel: the answer goes to a thread that is made from it, which has the id of the message. */
  z.object({ kind: z.literal('question'), ...asked, message: snowflake, user: snowflake, title: z.string() }),
  /** Where no threads can be made: the conversation of one person, by replies. */
  z.object({ kind: z.literal('channel'), ...asked, user: snowflake, message: lenient(snowflake) }),
]);

export type Address = z.infer<typeof schema>;

export function conversationAt(address: Address): ConversationRef {
  return { lane: laneOf(address), address };
}

function laneOf(address: Address): string {
  if (address.kind === 'question') return address.message;
  return address.kind === 'channel' ? `${address.channel}:${address.user}` : address.channel;
}

/** Null for what is none. */
export function addressIn(value: unknown): Address | null {
  return schema.safeParse(value).data ?? null;
}

export function addressOf({ address }: { readonly address: Json }): Address {
  const read = addressIn(address);
  if (read !== null) return read;
  throw new ConnectorError('This is not the address of a conversation on Discord.', {
    advice: { retry: 'never' },
  });
}
