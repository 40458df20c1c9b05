import type { Json } from '../../../core/contract/account.ts';
import type { InboundEvent } from '../../../core/contract/inbound.ts';
import { isHelpedOffer } from '../../shared/offer-texts.ts';
import type { TwilioAccount } from '../account.ts';
import { errorText } from '../refusal-error.ts';
import { parseAttachments } from './files.ts';
import { parseSender, toConversationRef } from './identifiers.ts';
import type { Keyword, Medium } from './medium.ts';
import { type MessageFields, messageFieldsSchema } from './payloads.ts';

/** Creates the normaliser of stored webhooks. Twilio sends no time, so a message is dated by its arrival. */
export function createNormaliser(medium: Medium) {
  return (native: Json, account: TwilioAccount, receivedAt: Date): readonly InboundEvent[] => {
    const { data: fields } = messageFieldsSchema.safeParse(native);
    if (fields === undefined) return [{ type: 'unsupported', nativeType: nativeTypeName(native) }];
    if (fields.MessageStatus !== null) return [parseDeliveryReport(fields, fields.MessageStatus)];
    const event = parseMessage(fields, { native, account, receivedAt, medium });
    return [...parseRating(event), event];
  };
}

interface Context {
  readonly native: Json;
  readonly account: TwilioAccount;
  readonly receivedAt: Date;
  readonly medium: Medium;
}

function parseMessage(fields: MessageFields, { native, account, receivedAt, medium }: Context): InboundEvent {
  const { MessageSid, From, To, Body, ButtonText } = fields;
  const conversation = toConversationRef({ visitor: From, number: To, heard: MessageSid });
  const keyword = parseKeyword(fields, medium);
  if (keyword === 'left-to-twilio')
    return { type: 'unsupported', nativeType: 'a keyword that Twilio answers' };
  if (keyword === 'opt-out' || keyword === 'opt-in') {
    return { type: 'reachable', conversation, reachable: keyword === 'opt-in', wished: true };
  }
  return {
    type: 'message',
    conversation,
    sentAt: receivedAt,
    sender: parseSender(fields, account, medium),
    messageId: MessageSid,
    text: Body || ButtonText || '',
    attachments: parseAttachments(fields, native),
    addressed: true,
    command: keyword,
  };
}

/**
 * Returns the rating in a message that says that the last answer helped, in the words that an unsure answer asks for. The
 * message stays one: a person who has the conversation reads it.
 */
function parseRating(event: InboundEvent): readonly InboundEvent[] {
  if (event.type !== 'message' || !isHelpedOffer(event.text)) return [];
  const { conversation, sentAt, sender } = event;
  return [{ type: 'feedback', conversation, sentAt, sender, messageId: null, value: 'up', comment: null }];
}

/** Returns the kind of an unknown payload by its field names, because the values are a visitor's data. */
function nativeTypeName(native: Json): string {
  if (typeof native !== 'object' || native === null || Array.isArray(native)) return 'not a form';
  return Object.hasOwn(native, 'CallSid') ? 'a call' : 'a form of another kind';
}

const OPT_OUT_TYPES = { STOP: 'opt-out', START: 'opt-in', HELP: 'left-to-twilio' } as const;
const SLASH_COMMANDS = { '/human': 'human', '/help': 'help', '/start': 'start' } as const;

/** Returns the meaning of a message that is a single keyword. "Stop texting me" and "No, stop" are not keywords. */
function parseKeyword(
  { Body, OptOutType, NumMedia }: Pick<MessageFields, 'Body' | 'OptOutType' | 'NumMedia'>,
  { words }: Medium,
): Keyword | 'opt-in' | null {
  if (OptOutType !== null) return OPT_OUT_TYPES[OptOutType];
  if (Number(NumMedia ?? 0) > 0) return null;
  const text = (Body ?? '').trim();
  const command = Object.entries(SLASH_COMMANDS).find(([command]) => text.toLowerCase() === command)?.[1];
  return command ?? (Object.hasOwn(words, text.toUpperCase()) ? (words[text.toUpperCase()] ?? null) : null);
}

const OUTCOMES = { delivered: 'delivered', read: 'read', failed: 'failed', undelivered: 'failed' } as const;

/** Returns the outcome of a message that we sent. Intermediate statuses are ignored. */
export function parseDeliveryReport(
  {
    MessageSid: messageId,
    ErrorCode,
    ErrorMessage,
  }: Pick<MessageFields, 'MessageSid' | 'ErrorCode' | 'ErrorMessage'>,
  status: string,
): InboundEvent {
  const outcome = Object.entries(OUTCOMES).find(([name]) => name === status)?.[1];
  if (outcome === undefined) return { type: 'unsupported', nativeType: `a message that is ${status}` };
  const because = ErrorCode === null ? ErrorMessage : errorText(Number(ErrorCode), ErrorMessage);
  return { type: 'delivery-reported', messageId, outcome, because: outcome === 'failed' ? because : null };
}
