import { z } from 'zod';
import type { ConversationRef } from '../../../core/contract/account.ts';
import { ConnectorError } from '../../../core/contract/connector-error.ts';
import type { Sender } from '../../../core/contract/inbound.ts';
import type { TwilioAccount } from '../account.ts';
import type { Medium } from './medium.ts';
import type { MessageFields } from './payloads.ts';

const schema = z.object({
  /** As Twilio writes them: a number, or `whatsapp:` followed by a number or another id. */
  visitor: z.string(),
  number: z.string(),
  /** SID of the visitor's last message. */
  heard: z.string().nullable(),
});

type Address = z.infer<typeof schema>;

/** Returns the reference of a conversation, which is a pair of numbers. */
export function toConversationRef(address: Address): ConversationRef {
  return { lane: laneKey(address), address };
}

export function laneKey({ visitor, number }: Pick<Address, 'visitor' | 'number'>): string {
  return `${number}/${visitor}`;
}

export function parseAddress(conversation: ConversationRef): Address {
  const read = schema.safeParse(conversation.address);
  if (read.success) return read.data;
  throw new ConnectorError('The address is not a Twilio conversation.', {
    advice: { retry: 'never' },
  });
}

const NUMBER = /^\+[1-9]\d{3,14}$/;

/**
 * Returns the sender. WhatsApp may identify visitors by an id of its own instead of their number, so no phone number is
 * known. Short codes and alphanumeric senders are machines.
 */
export function parseSender(
  { From, To, ProfileName }: Pick<MessageFields, 'From' | 'To' | 'ProfileName'>,
  { settings }: Pick<TwilioAccount, 'settings'>,
  { prefix }: Pick<Medium, 'prefix'>,
): Sender {
  const id = From.slice(prefix.length);
  const isNumber = NUMBER.test(id);
  const isOurs = From === To || id === settings.from;
  return {
    id,
    name: ProfileName,
    email: null,
    phone: isNumber ? id : null,
    language: null,
    kind: isOurs ? 'self' : prefix === '' && !isNumber ? 'machine' : 'person',
  };
}
