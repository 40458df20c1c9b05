import { z } from 'zod';
import type { Delivery } from '../../../core/contract/inbound.ts';
import type {
  HttpAnswer,
  PulledParts,
  RawRequest,
  WebhookIntake,
  WebhookReading,
} from '../../../core/contract/webhook.ts';
import { parseJson } from '../../shared/payload.ts';
import { verifySignature } from '../signature.ts';
import { type CallState, parseCallerTurn, parseCallState } from './caller-turn.ts';
import { callConversation } from './identifiers.ts';
import type { VoiceAccount } from './manifest.ts';
import { type CallFields, parseCall } from './payloads.ts';
import {
  callbackText,
  connectRelay,
  gatherSpeech,
  hangUp,
  respondToCaller,
  transferCall,
  twimlResponse,
} from './twiml.ts';
import { greetingText, type VoiceTexts, voiceTexts } from './voice-texts.ts';

/** A quick answer is told without a word of patience before it. */
const QUICK_MS = 250;
/** Between two words of patience. */
const LAP_MS = 4_000;
const ENDED_STATUSES = ['completed', 'busy', 'failed', 'no-answer', 'canceled'];

const handoff = z.object({ reason: z.enum(['person', 'goodbye']) });
const emptyTwiml: HttpAnswer = twimlResponse(() => {});

export const webhook: WebhookIntake<VoiceAccount['credentials'], VoiceAccount['settings']> = {
  verify: (request, account) => verifySignature(request, account),

  read(request, account) {
    const fields = parseCall(request);
    if (fields === null)
      return { kind: 'ignored', because: 'the request is about no call', respond: emptyTwiml };
    const stranger = reasonToIgnore(fields, account);
    if (stranger !== null) return { kind: 'ignored', because: stranger, respond: emptyTwiml };
    return new Call(fields, request, account).read();
  },
};

/** Why a call is none of this account; null where it is one. */
function reasonToIgnore(
  { AccountSid, Direction, To }: CallFields,
  { credentials, settings }: VoiceAccount,
): string | null {
  if (AccountSid !== null && AccountSid !== credentials.account_sid)
    return 'the call is of another account of Twilio';
  const isOtherNumber = settings.from.startsWith('+') && To !== null && To !== settings.from;
  return Direction === 'inbound' && isOtherNumber ? 'the call is of another number' : null;
}

/** A request about a call: what is told with it, and what the caller is to hear. */
class Call {
  readonly #fields: CallFields;
  readonly #state: CallState;
  readonly #account: VoiceAccount;
  readonly #texts: VoiceTexts;
  readonly #caller: string | null;
  readonly #lane: string;

  constructor(fields: CallFields, request: RawRequest, account: VoiceAccount) {
    const { lane, address } = callConversation(fields);
    this.#fields = fields;
    this.#state = parseCallState(request);
    this.#account = account;
    this.#texts = voiceTexts(account.settings.language);
    this.#caller = address.caller;
    this.#lane = lane;
  }

  read(): WebhookReading {
    const { CallStatus, SpeechResult, Digits } = this.#fields;
    const { step } = this.#state;
    if (CallStatus !== null && ENDED_STATUSES.includes(CallStatus))
      return this.#told(emptyTwiml, [this.#delivery('ends')]);
    if (step === 'dialled') return this.#told(this.#afterDialling());
    if (step === 'relayed') return this.#collected([], QUICK_MS, (collected) => this.#afterRelay(collected));
    if (step === 'wait') return this.#collected([], LAP_MS, undefined, this.#state.what);
    if (step === 'turn' || SpeechResult !== null || Digits !== null) return this.#turn();
    return this.#collected([], 0, (collected) => this.#begin(collected));
  }

  #turn(): WebhookReading {
    const { turn, quiet, what } = this.#state;
    const read = parseCallerTurn(this.#fields, this.#state, this.#texts);
    const again = (words: string, more: Partial<CallState> = {}) =>
      this.#told(gatherSpeech([words], { turn: turn + 1, ...more }, this.#account));
    switch (read) {
      case 'silence': {
        const words = this.#texts.silence[quiet];
        if (words === undefined) return this.#told(hangUp([this.#texts.goodbye], this.#account));
        return again(words, { quiet: quiet + 1 });
      }
      case 'mumble':
        return again(this.#texts.notCaught);
      case 'bye':
        return this.#told(hangUp([this.#texts.goodbye], this.#account));
      case 'no':
        return again(this.#texts.anythingElse, { asks: 'else' });
      case 'more':
        return this.#collected([], QUICK_MS, undefined, what);
      case 'link':
        return {
          kind: 'deliveries',
          deliveries: [this.#delivery('wants')],
          respond: gatherSpeech([this.#texts.linkSent], { turn: turn + 1, asks: 'else' }, this.#account),
        };
      case 'person':
        return this.#collected([this.#delivery('wants-person')], QUICK_MS);
      case 'question':
        return this.#collected([this.#delivery('asks')], QUICK_MS);
    }
  }

  #begin({ withPerson }: PulledParts): HttpAnswer {
    if (withPerson) return transferCall([this.#texts.withPerson], this.#caller, this.#account);
    if (this.#account.settings.relay) return connectRelay(this.#account);
    return gatherSpeech([greetingText(this.#account)], { turn: 1 }, this.#account);
  }

  /** Where the relay failed, or this server ended, the call goes on without it, with the answer that was being made. */
  #afterRelay(collected: PulledParts): HttpAnswer {
    const { data } = handoff.safeParse(parseJson(Buffer.from(this.#fields.HandoffData ?? '')));
    if (data?.reason === 'goodbye') return hangUp([this.#texts.goodbye], this.#account);
    const isForPerson = data?.reason === 'person' && collected.parts.length === 0;
    return isForPerson
      ? transferCall([], this.#caller, this.#account)
      : respondToCaller(collected, this.#asked(null));
  }

  #afterDialling(): HttpAnswer {
    if (this.#fields.DialCallStatus === 'completed') return hangUp([], this.#account);
    const words = [this.#texts.nobodyThere, callbackText(this.#caller, this.#account), this.#texts.goodbye];
    return hangUp(words, this.#account);
  }

  #told(respond: HttpAnswer, deliveries: readonly Delivery[] = []): WebhookReading {
    return { kind: 'deliveries', deliveries, respond };
  }

  #collected(
    deliveries: readonly Delivery[],
    waitMs: number,
    respond?: (collected: PulledParts) => HttpAnswer,
    what: string | null = null,
  ): WebhookReading {
    const key = what ?? this.#fields.CallSid;
    const answer = respond ?? ((collected) => respondToCaller(collected, this.#asked(what)));
    return { kind: 'collection', deliveries, collect: { lane: this.#lane, key, waitMs, respond: answer } };
  }

  #asked(what: string | null) {
    return { state: this.#state, caller: this.#caller, account: this.#account, what };
  }

  /** A call has one of each turn, and one end: Twilio may tell them again. */
  #delivery(does: 'asks' | 'wants-person' | 'wants' | 'ends'): Delivery {
    const { turn, what } = this.#state;
    const { CallSid } = this.#fields;
    const id = does === 'ends' ? `${CallSid}:over` : `${CallSid}:${turn}`;
    return { id, lane: this.#lane, native: { ...this.#fields, does, turn, what } };
  }
}
