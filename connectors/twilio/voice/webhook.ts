import { z } from 'zod';
import type { Delivery } from '../../../core/contract/inbound.ts';
import type {
  Collected,
  HttpAnswer,
  RawRequest,
  WebhookIntake,
  WebhookReading,
} from '../../../core/contract/webhook.ts';
import { readJson } from '../../shared/payload.ts';
import { verifySignature } from '../signature.ts';
import { type CallState, readState, readTurn } from './caller-turn.ts';
import { placeOf } from './identifiers.ts';
import type { VoiceAccount } from './manifest.ts';
import { type CallFields, readCall } from './payloads.ts';
import { answerWith, connectRelay, handOff, hangUp, later, listenFor, twimlAnswer } from './twiml.ts';
import { greetingOf, type VoiceTexts, voiceTexts } from './voice-texts.ts';

/** A quick answer is told without a word of patience before it. */
const QUICK_MS = 250;
/** Between two words of patience. */
const LAP_MS = 4_000;
const OVER = ['completed', 'busy', 'failed', 'no-answer', 'canceled'];

const handoff = z.object({ reason: z.enum(['person', 'goodbye']) });
const nothing: HttpAnswer = twimlAnswer(() => {});

export const webhook: WebhookIntake<VoiceAccount['credentials'], VoiceAccount['settings']> = {
  verify: (request, account) => verifySignature(request, account),

  read(request, account) {
    const fields = readCall(request);
    if (fields === null)
      return { kind: 'ignored', because: 'the request is about no call', respond: nothing };
    const stranger = strangerOf(fields, account);
    if (stranger !== null) return { kind: 'ignored', because: stranger, respond: nothing };
    return new Call(fields, request, account).read();
  },
};

/** Why a call is none of this account; null where it is one. */
function strangerOf(
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
    const { lane, address } = placeOf(fields);
    this.#fields = fields;
    this.#state = readState(request);
    this.#account = account;
    this.#texts = voiceTexts(account.settings.language);
    this.#caller = address.caller;
    this.#lane = lane;
  }

  read(): WebhookReading {
    const { CallStatus, SpeechResult, Digits } = this.#fields;
    const { step } = this.#state;
    if (CallStatus !== null && OVER.includes(CallStatus))
      return this.#told(nothing, [this.#delivery('ends')]);
    if (step === 'dialled') return this.#told(this.#afterDialling());
    if (step === 'relayed') return this.#collected([], QUICK_MS, (collected) => this.#afterRelay(collected));
    if (step === 'wait') return this.#collected([], LAP_MS, undefined, this.#state.what);
    if (step === 'turn' || SpeechResult !== null || Digits !== null) return this.#turn();
    return this.#collected([], 0, (collected) => this.#begin(collected));
  }

  #turn(): WebhookReading {
    const { turn, quiet, what } = this.#state;
    const read = readTurn(this.#fields, this.#state, this.#texts);
    const again = (words: string, more: Partial<CallState> = {}) =>
      this.#told(listenFor([words], { turn: turn + 1, ...more }, this.#account));
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
          respond: listenFor([this.#texts.linkSent], { turn: turn + 1, asks: 'else' }, this.#account),
        };
      case 'person':
        return this.#collected([this.#delivery('wants-person')], QUICK_MS);
      case 'question':
        return this.#collected([this.#delivery('asks')], QUICK_MS);
    }
  }

  #begin({ withPerson }: Collected): HttpAnswer {
    if (withPerson) return handOff([this.#texts.withPerson], this.#caller, this.#account);
    if (this.#account.settings.relay) return connectRelay(this.#account);
    return listenFor([greetingOf(this.#account)], { turn: 1 }, this.#account);
  }

  /** Where the relay failed, or this server ended, the call goes on without it, with the answer that was being made. */
  #afterRelay(collected: Collected): HttpAnswer {
    const { data } = handoff.safeParse(readJson(Buffer.from(this.#fields.HandoffData ?? '')));
    if (data?.reason === 'goodbye') return hangUp([this.#texts.goodbye], this.#account);
    const isForPerson = data?.reason === 'person' && collected.parts.length === 0;
    return isForPerson ? handOff([], this.#caller, this.#account) : answerWith(collected, this.#asked(null));
  }

  #afterDialling(): HttpAnswer {
    if (this.#fields.DialCallStatus === 'completed') return hangUp([], this.#account);
    const words = [this.#texts.nobodyThere, later(this.#caller, this.#account), this.#texts.goodbye];
    return hangUp(words, this.#account);
  }

  #told(respond: HttpAnswer, deliveries: readonly Delivery[] = []): WebhookReading {
    return { kind: 'deliveries', deliveries, respond };
  }

  #collected(
    deliveries: readonly Delivery[],
    waitMs: number,
    respond?: (collected: Collected) => HttpAnswer,
    what: string | null = null,
  ): WebhookReading {
    const key = what ?? this.#fields.CallSid;
    const answer = respond ?? ((collected) => answerWith(collected, this.#asked(what)));
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
