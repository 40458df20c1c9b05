import type { Json } from '../../../core/contract/account.ts';
import type { InboundEvent } from '../../../core/contract/inbound.ts';
import type { TwilioAccount } from '../twilio-account.ts';
import { conversationAt } from './address.ts';
import { attachmentsOf } from './attachments-of.ts';
import { type Fields, fieldsSchema } from './fields-schema.ts';
import type { Medium } from './medium.ts';
import { reportOf } from './report-of.ts';
import { senderOf } from './sender-of.ts';
import { wordOf } from './word-of.ts';

/** What a stored post tells. Twilio does not say when a message was written: it is when it came. */
export function normaliser(medium: Medium) {
  return (native: Json, account: TwilioAccount, receivedAt: Date): readonly InboundEvent[] => {
    const { data: fields } = fieldsSchema.safeParse(native);
    if (fields === undefined) return [{ type: 'unsupported', nativeType: nativeTypeOf(native) }];
    if (fields.MessageStatus !== null) return [reportOf(fields, fields.MessageStatus)];
    return [messageOf(fields, { native, account, receivedAt, medium })];
  };
}

interface Context {
  readonly native: Json;
  readonly account: TwilioAccount;
  readonly receivedAt: Date;
  readonly medium: Medium;
}

function messageOf(fields: Fields, { native, account, receivedAt, medium }: Context): InboundEvent {
  const { MessageSid, From, To, Body, ButtonText } = fields;
  const conversation = conversationAt({ visitor: From, number: To, heard: MessageSid });
  const word = wordOf(fields, medium);
  if (word === 'left-to-twilio') return { type: 'unsupported', nativeType: 'a word that Twilio answers' };
  if (word === 'opt-out' || word === 'opt-in') {
    return { type: 'reachable', conversation, reachable: word === 'opt-in', wished: true };
  }
  return {
    type: 'message',
    conversation,
    sentAt: receivedAt,
    sender: senderOf(fields, account, medium),
    messageId: MessageSid,
    text: Body || ButtonText || '',
    attachments: attachmentsOf(fields, native),
    addressed: true,
    command: word,
  };
}

/** What kind of thing it is by the names of its fields: their values are a visitor's. */
function nativeTypeOf(native: Json): string {
  if (typeof native !== 'object' || native === null || Array.isArray(native)) return 'not a form';
  return Object.hasOwn(native, 'CallSid') ? 'a call' : 'a form of another kind';
}
