import type { Delivery } from '../../../../core/contract/inbound.ts';
import type { LiveAnswer, SocketTools } from '../../../../core/contract/listener.ts';
import { splitIntoPortions, spokenSentences } from '../speech/spoken-sentences.ts';
import type { VoiceTexts } from '../voice-texts.ts';
import type { RelayLine } from './relay-protocol.ts';

interface AnswerContext {
  readonly line: RelayLine;
  readonly tools: Pick<SocketTools, 'ask' | 'truncateAnswer' | 'log'>;
  readonly texts: VoiceTexts;
  readonly language: string;
}

/** Times of silence after which a filler is said. */
const FILLERS_MS = [700, 7_000, 15_000];
const TIMEOUT_MS = 30_000;
/** About a minute of speech: callers want to be asked before they hear more. */
const MAX_CHARACTERS = 840;

/** The result of an answer. `late`: it was not ready in time. */
type Outcome = 'said' | 'late' | 'interrupted' | 'silent' | 'handover';

/** An answer that is spoken while it is generated, and that the caller may interrupt. */
export class RelayAnswer {
  readonly #context: AnswerContext;
  readonly #said = new SpokenText();
  readonly #stop = new AbortController();
  /** Sentences that were generated but not spoken yet, for callers who ask for more. */
  #rest: string[] = [];
  #answer: LiveAnswer | null = null;
  /** The text that the caller had heard when they interrupted it, or when it timed out. */
  #heard: string | undefined;
  #isLate = false;

  constructor(context: AnswerContext) {
    this.#context = context;
  }

  get hasMore(): boolean {
    return this.#rest.length > 0;
  }

  get parts(): LiveAnswer['parts'] {
    return this.#answer?.parts ?? [];
  }

  async run(delivery: Delivery): Promise<Outcome> {
    const { tools, language, texts } = this.#context;
    const stream = new SpeechStream(language);
    const timers = texts.fillers.map((words, index) =>
      setTimeout(() => this.#fill(words), FILLERS_MS[index] ?? TIMEOUT_MS),
    );
    const timeout = setTimeout(() => this.#giveUp(), TIMEOUT_MS);
    let isStreamed = false;
    const onText = (piece: string) => {
      isStreamed = true;
      this.#speak(stream.push(piece));
    };
    try {
      const answer = await tools.ask(delivery, { onText, signal: this.#stop.signal });
      this.#answer = answer;
      if (answer !== null && !isStreamed) this.#speak(stream.push(answer.text));
      if (!this.#stop.signal.aborted) this.#speak(stream.end());
      else if (answer !== null && this.#heard !== undefined)
        await tools.truncateAnswer(answer.messageId, this.#heard);
      return this.#outcome();
    } finally {
      for (const timer of [...timers, timeout]) clearTimeout(timer);
    }
  }

  /** Speaks the next portion of the sentences that were held back. */
  goOn(): void {
    const [next = [], ...others] = splitIntoPortions(this.#rest);
    this.#rest = others.flat();
    this.#said.pause();
    for (const sentence of next) this.#say(sentence);
  }

  /** The caller interrupts. It truncates the stored answer to what they had heard, unless that was all of it. */
  async interrupt(utterance: string): Promise<void> {
    const heard = this.#said.upTo(utterance);
    this.#stop.abort();
    if (this.#answer === null) this.#heard ??= heard;
    else if (heard !== this.#said.all)
      await this.#context.tools.truncateAnswer(this.#answer.messageId, heard);
  }

  /** Stops the generation. The text generated so far stays stored. */
  leave(): void {
    this.#stop.abort();
  }

  #outcome(): Outcome {
    if (this.#isLate) return 'late';
    if (this.#stop.signal.aborted) return 'interrupted';
    if (this.#answer === null) return 'silent';
    return this.#answer.handover ? 'handover' : 'said';
  }

  #giveUp(): void {
    this.#isLate = true;
    this.#heard ??= this.#said.all;
    this.#stop.abort();
  }

  #fill(words: string): void {
    if (this.#said.length > 0 || this.#stop.signal.aborted) return;
    this.#said.filler(words);
    this.#context.line.say(words, { preemptible: true });
  }

  #speak(sentences: readonly string[]): void {
    if (this.#stop.signal.aborted) return;
    for (const sentence of sentences) {
      if (this.#rest.length > 0 || this.#said.length + sentence.length > MAX_CHARACTERS)
        this.#rest.push(sentence);
      else this.#say(sentence);
    }
  }

  #say(sentence: string): void {
    this.#said.add(sentence);
    this.#context.line.say(sentence);
  }
}

/** The spoken text of an answer, in the order in which it was sent to ConversationRelay. */
class SpokenText {
  /** Text that was heard to its end, before the caller asked for more. */
  #heard = '';
  /** Fillers that were said before the answer. */
  #before = '';
  #answer = '';

  get length(): number {
    return this.#answer.length;
  }

  /** All of the answer that was sent. */
  get all(): string {
    return joinSentences(this.#heard, this.#answer);
  }

  filler(words: string): void {
    if (this.#answer === '') this.#before += `${words} `;
  }

  add(sentence: string): void {
    this.#answer = joinSentences(this.#answer, sentence);
  }

  /** Marks the text so far as heard, because the caller asked for more. */
  pause(): void {
    this.#heard = this.all;
    this.#before = '';
    this.#answer = '';
  }

  /** Returns the answer up to the end of the last words that were heard. */
  upTo(heard: string): string {
    const all = this.#before + this.#answer;
    const words = heard.trim();
    if (words === '') return this.#heard;
    const at = all.indexOf(words);
    const end = at < 0 ? this.#before.length + words.length : at + words.length;
    return joinSentences(
      this.#heard,
      all.slice(this.#before.length, Math.max(this.#before.length, end)).trim(),
    );
  }
}

function joinSentences(...texts: readonly string[]): string {
  return texts.filter((text) => text !== '').join(' ');
}

/** Possible ends of a sentence. A period after an item number, a day or a single letter does not count. */
const SENTENCE_END = /(?:(?<!(?<![\d:.,])\d{1,3})(?<!\b\p{L})[.!?…:]["'”’)\]]*\s+|\n+)/gu;

/** Maximum length held back while a link, a table or code is incomplete. */
const MAX_UNSAID = 1_000;

/** Splits streamed Markdown into sentences, each as soon as it is complete. */
export class SpeechStream {
  readonly #tag: string;
  #unsaid = '';

  constructor(tag: string) {
    this.#tag = tag;
  }

  push(piece: string): readonly string[] {
    this.#unsaid += piece;
    const at = this.#lastEnd();
    if (at === 0) return [];
    const whole = this.#unsaid.slice(0, at);
    this.#unsaid = this.#unsaid.slice(at);
    return spokenSentences(whole, this.#tag);
  }

  /** Returns the rest when the text is complete. */
  end(): readonly string[] {
    const left = this.#unsaid;
    this.#unsaid = '';
    return spokenSentences(left, this.#tag);
  }

  /**
   * Returns the end of the last complete sentence; 0 if there is none. Links, tables and code stay whole, unless they
   * are too long.
   */
  #lastEnd(): number {
    const counts = { fence: 0, bold: 0, opened: 0, closed: 0, targets: 0, targetEnds: 0 };
    let from = 0;
    let last = 0;
    let whole = 0;
    for (const { 0: end, index } of this.#unsaid.matchAll(SENTENCE_END)) {
      last = index + end.length;
      const piece = this.#unsaid.slice(from, last);
      counts.fence += count(piece, '```');
      counts.bold += count(piece, '**');
      counts.opened += count(piece, '[');
      counts.closed += count(piece, ']');
      counts.targets += count(piece, '](');
      counts.targetEnds += count(piece, ')');
      from = last;
      const isWhole =
        counts.fence % 2 === 0 &&
        counts.bold % 2 === 0 &&
        counts.opened === counts.closed &&
        counts.targets <= counts.targetEnds;
      if (isWhole && !isInTable(this.#unsaid, last)) whole = last;
    }
    if (whole > 0 || this.#unsaid.length <= MAX_UNSAID) return whole;
    return last || this.#unsaid.lastIndexOf(' ') + 1 || this.#unsaid.length;
  }
}

function count(text: string, sign: string): number {
  return text.split(sign).length - 1;
}

/** Whether the text up to `end` ends with a table row, so that more rows may follow. */
function isInTable(text: string, end: number): boolean {
  const said = text.slice(0, end).trimEnd();
  const line = said.slice(said.lastIndexOf('\n') + 1).trimStart();
  return line.startsWith('|') && !/^[^|\n]/.test(text.slice(end));
}
