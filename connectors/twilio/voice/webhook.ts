import { z } from 'zod';
import type { Delivery } from '../../../core/contract/inbound.ts';
import type {
  HttpAnswer,
  PulledParts,
  PullRequest,
  RawRequest,
  WebhookIntake,
  WebhookReading,
} from '../../../core/contract/webhook.ts';
import { parseJson } from '../../shared/http.ts';
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
import { greetingTexts, type VoiceTexts, voiceTexts } from './voice-texts.ts';

/** A response within this time needs no filler. */
const QUICK_MS = 250;
/** Time between two fillers. */
const LAP_MS = 4_000;
const ENDED_STATUSES = ['completed', 'busy', 'failed', 'no-answer', 'canceled'];

const handoff = z.object({ reason: z.enum(['person', 'goodbye']) });
const emptyTwiml: HttpAnswer = twimlResponse(() => {});

export const createWebhook = (account: VoiceAccount): WebhookIntake => ({
  verify: (request) => verifySignature(request, account),

  read(request) {
    const fields = parseCall(request);
    if (fields === null)
      return { kind: 'ignored', because: 'the request is not about a call', respond: emptyTwiml };
    const reasonIgnored = reasonToIgnore(fields, account);
    if (reasonIgnored !== null) return { kind: 'ignored', because: reasonIgnored, respond: emptyTwiml };
    return new Call(fields, request, account).read();
  },
});

/** Returns why a call is not for this account; null if it is. */
function reasonToIgnore(
  { AccountSid, Direction, To }: CallFields,
  { credentials, settings }: VoiceAccount,
): string | null {
  if (AccountSid !== null && AccountSid !== credentials.account_sid)
    return 'the call belongs to another Twilio account';
  const isOtherNumber = settings.from.startsWith('+') && To !== null && To !== settings.from;
  return Direction === 'inbound' && isOtherNumber ? 'the call is to another number' : null;
}

/** A request about a call: the deliveries to store and the response to speak. */
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
      return this.#respond(emptyTwiml, [this.#delivery('ends')]);
    if (step === 'dialled') return this.#respond(this.#afterDialling());
    if (step === 'relayed') return this.#collect([], QUICK_MS, (collected) => this.#afterRelay(collected));
    if (step === 'wait') return this.#collect([], LAP_MS, undefined, this.#state.what);
    if (step === 'turn' || SpeechResult !== null || Digits !== null) return this.#turn();
    return this.#greet();
  }

  #turn(): WebhookReading {
    const { turn, quiet, what } = this.#state;
    const read = parseCallerTurn(this.#fields, this.#state, this.#texts);
    const again = (sentence: string, more: Partial<CallState> = {}) =>
      this.#respond(gatherSpeech([sentence], { turn: turn + 1, ...more }, this.#account));
    switch (read) {
      case 'silence': {
        const sentence = this.#texts.silence[quiet];
        if (sentence === undefined) return this.#respond(hangUp([this.#texts.goodbye], this.#account));
        return again(sentence, { quiet: quiet + 1 });
      }
      case 'mumble':
        return again(this.#texts.notCaught);
      case 'bye':
        return this.#respond(hangUp([this.#texts.goodbye], this.#account));
      case 'no':
        return again(this.#texts.anythingElse, { asks: 'else' });
      case 'more':
        return this.#collect([], QUICK_MS, undefined, what);
      case 'link':
        return {
          kind: 'deliveries',
          deliveries: [this.#delivery('wants')],
          respond: gatherSpeech([this.#texts.linkSent], { turn: turn + 1, asks: 'else' }, this.#account),
        };
      case 'person':
        return this.#collect([this.#delivery('wants-person')], QUICK_MS);
      case 'question':
        return this.#collect([this.#delivery('asks')], QUICK_MS);
    }
  }

  #greet(): WebhookReading {
    const reading = this.#collect([], 0, (collected, disclosure) => this.#begin(collected, disclosure));
    const greetsIn = this.#account.settings.language.split('-', 1)[0] ?? 'en';
    return { ...reading, collect: { ...reading.collect, greetsIn } };
  }

  #begin({ withPerson }: PulledParts, disclosure: string | null): HttpAnswer {
    if (withPerson) return transferCall([this.#texts.withPerson], this.#caller, this.#account);
    if (this.#account.settings.relay) return connectRelay(this.#account, disclosure);
    return gatherSpeech(greetingTexts(this.#account, disclosure), { turn: 1 }, this.#account);
  }

  /** If the relay failed, or this server shut down, the call continues without it, with the pending answer. */
  #afterRelay(collected: PulledParts): HttpAnswer {
    const { data } = handoff.safeParse(parseJson(Buffer.from(this.#fields.HandoffData ?? '')));
    if (data?.reason === 'goodbye') return hangUp([this.#texts.goodbye], this.#account);
    const isForPerson = data?.reason === 'person' && collected.parts.length === 0;
    return isForPerson
      ? transferCall([], this.#caller, this.#account)
      : respondToCaller(collected, this.#context(null));
  }

  #afterDialling(): HttpAnswer {
    if (this.#fields.DialCallStatus === 'completed') return hangUp([], this.#account);
    const sentences = [
      this.#texts.nobodyThere,
      callbackText(this.#caller, this.#account),
      this.#texts.goodbye,
    ];
    return hangUp(sentences, this.#account);
  }

  #respond(response: HttpAnswer, deliveries: readonly Delivery[] = []): WebhookReading {
    return { kind: 'deliveries', deliveries, respond: response };
  }

  #collect(
    deliveries: readonly Delivery[],
    waitMs: number,
    respond?: PullRequest['respond'],
    what: string | null = null,
  ): Extract<WebhookReading, { kind: 'collection' }> {
    const key = what ?? this.#fields.CallSid;
    const answer = respond ?? ((collected: PulledParts) => respondToCaller(collected, this.#context(what)));
    return { kind: 'collection', deliveries, collect: { lane: this.#lane, key, waitMs, respond: answer } };
  }

  #context(what: string | null) {
    return { state: this.#state, caller: this.#caller, account: this.#account, what };
  }

  /** Ids are stable for a turn and for the end of a call, because Twilio may repeat requests. */
  #delivery(does: 'asks' | 'wants-person' | 'wants' | 'ends'): Delivery {
    const { turn, what } = this.#state;
    const { CallSid } = this.#fields;
    const id = does === 'ends' ? `${CallSid}:over` : `${CallSid}:${turn}`;
    return { id, lane: this.#lane, native: { ...this.#fields, does, turn, what } };
  }
}
