import type { Json } from '../../../core/contract/account.ts';
import type { InboundEvent } from '../../../core/contract/inbound.ts';
import type { TwilioAccount } from '../account.ts';
import { errorText } from '../refusal-error.ts';
import { parseAttachments } from './files.ts';
import { parseSender, toConversationRef } from './identifiers.ts';
import type { Keyword, Medium } from './medium.ts';
import { type MessageFields, messageFieldsSchema } from './payloads.ts';

/** What a stored post tells. Twilio does not say when a message was written: it is when it came. */
export function createNormaliser(medium: Medium) {
  return (native: Json, account: TwilioAccount, receivedAt: Date): readonly InboundEvent[] => {
    const { data: fields } = messageFieldsSchema.safeParse(native);
    if (fields === undefined) return [{ type: 'unsupported', nativeType: nativeTypeName(native) }];
    if (fields.MessageStatus !== null) return [parseDeliveryReport(fields, fields.MessageStatus)];
    return [parseMessage(fields, { native, account, receivedAt, medium })];
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
  const word = parseKeyword(fields, medium);
  if (word === 'left-to-twilio') return { type: 'unsupported', nativeType: 'a word that Twilio answers' };
  if (word === 'opt-out' || word === 'opt-in') {
    return { type: 'reachable', conversation, reachable: word === 'opt-in', wished: true };
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
    command: word,
  };
}

/** What kind of thing it is by the names of its fields: their values are a visitor's. */
function nativeTypeName(native: Json): string {
  if (typeof native !== 'object' || native === null || Array.isArray(native)) return 'not a form';
  return Object.hasOwn(native, 'CallSid') ? 'a call' : 'a form of another kind';
}

const OPT_OUT_TYPES = { STOP: 'opt-out', START: 'opt-in', HELP: 'left-to-twilio' } as const;
const SLASHED = { '/human': 'human', '/help': 'help', '/start': 'start' } as const;

/** What a message means that is one word. "Stop texting me" is no such word, and neither is "No, stop". */
function parseKeyword(
  { Body, OptOutType, NumMedia }: Pick<MessageFields, 'Body' | 'OptOutType' | 'NumMedia'>,
  { words }: Medium,
): Keyword | 'opt-in' | null {
  if (OptOutType !== null) return OPT_OUT_TYPES[OptOutType];
  if (Number(NumMedia ?? 0) > 0) return null;
  const text = (Body ?? '').trim();
  const slashed = Object.entries(SLASHED).find(([word]) => text.toLowerCase() === word)?.[1];
  return slashed ?? (Object.hasOwn(words, text.toUpperCase()) ? (words[text.toUpperCase()] ?? null) : null);
}

const OUTCOMES = { delivered: 'delivered', read: 'read', failed: 'failed', undelivered: 'failed' } as const;

/** What became of a message of ours. That it is on its way is no news. */
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
