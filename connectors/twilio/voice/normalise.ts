import type { Json } from '../../../core/contract/account.ts';
import type { InboundEvent, Sender } from '../../../core/contract/inbound.ts';
import { callConversation } from './identifiers.ts';
import type { VoiceAccount } from './manifest.ts';
import { type NativeCall, parseNativeCall } from './payloads.ts';

export function normalise(native: Json, account: VoiceAccount, receivedAt: Date): readonly InboundEvent[] {
  const call = parseNativeCall(native);
  return [
    (call && parseEvent(call, account, receivedAt)) ?? {
      type: 'unsupported',
      nativeType: nativeTypeName(native),
    },
  ];
}

function parseEvent(call: NativeCall, account: VoiceAccount, receivedAt: Date): InboundEvent | null {
  const conversation = callConversation(call);
  const { CallSid: key, does, turn, what, SpeechResult } = call;
  if (does === 'ends')
    return {
      type: 'collection-over',
      conversation,
      key,
      because: 'The call ended before the answer was spoken.',
    };
  if (does === 'wants') return what === null ? null : { type: 'asked-for', conversation, what };
  const text = (SpeechResult ?? '').trim();
  const command = does === 'wants-person' ? 'human' : null;
  if (command === null && text === '') return null;
  return {
    type: 'message',
    conversation,
    sentAt: receivedAt,
    sender: parseSender(call, account),
    messageId: `${call.SessionId ?? key}:${turn ?? 0}`,
    text: command === null ? text : '',
    attachments: [],
    addressed: true,
    command,
    isComplete: true,
  };
}

/** The sender is the call, because two callers from one number, as in an office, are different people. */
function parseSender(call: NativeCall, { settings }: VoiceAccount): Sender {
  const { caller } = callConversation(call).address;
  // In some countries, carriers attest whether the caller owns the number (STIR/SHAKEN).
  const isUnverified = call.StirVerstat !== null && !/-Passed-[AB]/.test(call.StirVerstat);
  return {
    id: call.CallSid,
    name: call.CallerName,
    email: null,
    phone: isUnverified ? null : caller,
    language: settings.language.split('-', 1)[0] ?? null,
    kind: caller !== null && caller === settings.from ? 'self' : 'person',
  };
}

function nativeTypeName(native: Json): string {
  const fields = parseNativeCall(native);
  return fields?.CallStatus ?? 'not a call';
}
