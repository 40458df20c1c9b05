import type { Json } from '../../../../core/contract/account.ts';
import type { Delivery } from '../../../../core/contract/inbound.ts';
import type { PlatformSocket, SocketIntake, SocketTools } from '../../../../core/contract/listener.ts';
import { verifySignature } from '../../signature.ts';
import { parseCallerTurn } from '../caller-turn.ts';
import { callConversation } from '../identifiers.ts';
import type { VoiceAccount } from '../manifest.ts';
import { linkKeyword, parsePart } from '../render.ts';
import { greetingParameter } from '../twiml.ts';
import { greetingTexts, type VoiceTexts, voiceTexts } from '../voice-texts.ts';
import { RelayAnswer } from './relay-answer.ts';
import { parseRelayMessage, RelayLine, type RelayMessage, type RelaySetup } from './relay-protocol.ts';

const POLICY_VIOLATION = 1_008;

/** Serves calls in ConversationRelay, one socket for each call. */
export const createRelaySocket = (account: VoiceAccount): SocketIntake => ({
  verify: (request) => verifySignature(request, account, { socket: true }),
  serve: (socket, tools) => serveSocket(socket, account, tools),
});

function serveSocket(socket: PlatformSocket, account: VoiceAccount, tools: SocketTools): Promise<void> {
  const over = Promise.withResolvers<void>();
  const pending = new Set<Promise<void>>();
  let session: RelaySession | null = null;
  socket.onMessage((text) => {
    const message = parseRelayMessage(text);
    if (message?.type === 'setup') {
      if (message.accountSid !== null && message.accountSid !== account.credentials.account_sid)
        return socket.close(POLICY_VIOLATION, 'the call belongs to another account');
      session ??= new RelaySession(message, { account, line: new RelayLine(socket), tools });
      return;
    }
    if (session === null) return socket.close(POLICY_VIOLATION, 'the first message is not a setup');
    if (message === null) return tools.log.warn({}, 'relay message not understood');
    const handled = session.onMessage(message);
    pending.add(handled);
    handled.then(() => pending.delete(handled), over.reject);
  });
  /** Waits for the handlers, so that partial answers are stored before the conversation ends. */
  const leave = () => {
    session?.leave();
    Promise.all(pending).then(() => over.resolve(), over.reject);
  };
  socket.onClose(leave);
  tools.signal.addEventListener('abort', leave);
  return over.promise;
}

/** The last question to the caller, and the key of the parts to send after a yes. */
type FollowUp = { readonly asks: 'link' | 'more' | 'else'; readonly what: string } | null;

/** A call in ConversationRelay. */
class RelaySession {
  readonly #setup: RelaySetup;
  readonly #account: VoiceAccount;
  readonly #line: RelayLine;
  readonly #tools: SocketTools;
  readonly #texts: VoiceTexts;
  readonly #watch = new SilenceWatch(() => this.#noticeSilence());
  #turn = 0;
  /** Number of consecutive silences. */
  #quiet = 0;
  #asked: FollowUp = null;
  /** The answer that is being spoken. */
  #answer: RelayAnswer | null = null;

  constructor(
    setup: RelaySetup,
    { account, line, tools }: { account: VoiceAccount; line: RelayLine; tools: SocketTools },
  ) {
    this.#setup = setup;
    this.#account = account;
    this.#line = line;
    this.#tools = tools;
    this.#texts = voiceTexts(account.settings.language);
    const greeting = greetingTexts(account, null).join(' ').length;
    this.#watch.begin(setup.customParameters?.[greetingParameter] ?? greeting);
  }

  /** Handles a message. Resolves when it is fully handled, which for a question includes the answer. */
  async onMessage(message: RelayMessage): Promise<void> {
    switch (message.type) {
      case 'prompt':
        this.#watch.end();
        return message.last
          ? this.#handleInput({ SpeechResult: message.voicePrompt, Digits: null })
          : undefined;
      case 'dtmf':
        return this.#handleInput({ SpeechResult: null, Digits: message.digit });
      case 'interrupt':
        this.#watch.begin(0);
        return this.#answer?.interrupt(message.utteranceUntilInterrupt);
      case 'error':
        this.#tools.log.warn({ because: message.description }, 'relay error reported');
        return;
      case 'setup':
        return;
    }
  }

  leave(): void {
    this.#watch.end();
    this.#answer?.leave();
  }

  async #handleInput(said: {
    readonly SpeechResult: string | null;
    readonly Digits: string | null;
  }): Promise<void> {
    const { asks, what } = this.#asked ?? { asks: null, what: null };
    const turn = parseCallerTurn({ ...said, Confidence: null }, { asks, what }, this.#texts);
    this.#watch.end();
    this.#asked = null;
    this.#quiet = 0;
    this.#turn += 1;
    if (turn === 'more') return this.#goOn();
    this.#answer?.leave();
    this.#answer = null;
    switch (turn) {
      case 'silence':
      case 'mumble':
        return this.#say([this.#texts.notCaught], null);
      case 'bye':
        return this.#line.end('goodbye');
      case 'no':
        return this.#say([this.#texts.anythingElse], { asks: 'else', what: '' });
      case 'link':
        await this.#tools.ask(this.#delivery('wants', { what }), {
          onText: () => {},
          signal: this.#tools.signal,
        });
        return this.#say([this.#texts.linkSent], { asks: 'else', what: '' });
      case 'person':
        return this.#speakAnswer(this.#delivery('wants-person', {}));
      case 'question':
        return this.#speakAnswer(this.#delivery('asks', { SpeechResult: said.SpeechResult }));
    }
  }

  async #speakAnswer(delivery: Delivery): Promise<void> {
    const { language } = this.#account.settings;
    const context = { line: this.#line, tools: this.#tools, texts: this.#texts, language };
    const answer = new RelayAnswer(context);
    const turn = this.#turn;
    this.#answer = answer;
    const outcome = await answer.run(delivery);
    // The caller may have asked something else meanwhile.
    if (turn !== this.#turn) return;
    if (outcome === 'handover' || outcome === 'silent') this.#line.end('person');
    if (outcome === 'late') this.#say([this.#texts.tooLong], null);
    if (outcome === 'said') this.#offer(answer, turn);
  }

  #offer({ parts, hasMore }: RelayAnswer, turn: number): void {
    const hasLink = parts.some((part) => part.onRequest !== undefined && parsePart(part).kind === 'message');
    if (hasMore) this.#say([this.#texts.goOn], { asks: 'more', what: 'rest' });
    else if (hasLink)
      this.#say([this.#texts.sendLink], { asks: 'link', what: linkKeyword(this.#messageId(turn)) });
    else this.#say([], null);
  }

  #goOn(): void {
    this.#answer?.goOn();
    if (this.#answer?.hasMore) this.#say([this.#texts.goOn], { asks: 'more', what: 'rest' });
    else this.#say([], null);
  }

  #say(sentences: readonly string[], asked: FollowUp): void {
    for (const sentence of sentences) this.#line.say(sentence);
    this.#watch.begin(this.#line.letters);
    this.#line.listen();
    this.#asked = asked;
  }

  #noticeSilence(): void {
    const sentence = this.#texts.silence[this.#quiet];
    this.#quiet += 1;
    if (sentence === undefined) this.#line.end('goodbye');
    else this.#say([sentence], null);
  }

  #messageId(turn: number): string {
    return `${this.#setup.sessionId}:${turn}`;
  }

  #delivery(does: string, more: Readonly<Record<string, Json>>): Delivery {
    const {
      callSid: CallSid,
      from: From,
      to: To,
      callerName: CallerName,
      sessionId: SessionId,
    } = this.#setup;
    const call = { CallSid, From, To, CallerName: CallerName || null, SessionId };
    return {
      id: this.#messageId(this.#turn),
      lane: callConversation(call).lane,
      native: { ...call, does, turn: this.#turn, ...more },
    };
  }
}

/** Slower than any voice. */
const MS_PER_CHARACTER = 80;
/** How long the caller may stay silent. */
const SILENCE_MS = 10_000;

/** Detects that a caller stays silent in their turn, which ConversationRelay does not report. */
class SilenceWatch {
  readonly #onSilence: () => void;
  #timer: NodeJS.Timeout | undefined;

  constructor(onSilence: () => void) {
    this.#onSilence = onSilence;
  }

  /** The caller's turn begins after this many characters were spoken. */
  begin(letters: number): void {
    this.end();
    this.#timer = setTimeout(this.#onSilence, letters * MS_PER_CHARACTER + SILENCE_MS);
  }

  /** The caller speaks, or hung up. */
  end(): void {
    clearTimeout(this.#timer);
  }
}
