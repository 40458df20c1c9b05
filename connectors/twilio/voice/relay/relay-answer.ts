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

/** When it is quiet for so long, a word of patience is said. */
const FILLERS_MS = [700, 7_000, 15_000];
const TIMEOUT_MS = 30_000;
/** A minute of talk: more than that nobody listens to without being asked. */
const MAX_CHARACTERS = 840;

/** What came of an answer. `late`: it was not there in time. */
type Outcome = 'said' | 'late' | 'interrupted' | 'silent' | 'handover';

/** One answer on its way to the caller, who may interrupt it. */
export class RelayAnswer {
  readonly #means: AnswerContext;
  readonly #said = new SpokenText();
  readonly #stop = new AbortController();
  /** What was made of it and not said: for who wants to hear on. */
  #rest: string[] = [];
  #answer: LiveAnswer | null = null;
  /** What he had heard of it when he interrupted it, or when it took too long, while it was made. */
  #heard: string | undefined;
  #isLate = false;

  constructor(means: AnswerContext) {
    this.#means = means;
  }

  get hasMore(): boolean {
    return this.#rest.length > 0;
  }

  get parts(): LiveAnswer['parts'] {
    return this.#answer?.parts ?? [];
  }

  async tell(delivery: Delivery): Promise<Outcome> {
    const { tools, language, texts } = this.#means;
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

  /** The next of what was kept for who wants to hear on. */
  goOn(): void {
    const [next = [], ...others] = splitIntoPortions(this.#rest);
    this.#rest = others.flat();
    this.#said.pause();
    for (const sentence of next) this.#say(sentence);
  }

  /** The caller speaks; what he had heard by then is all that is kept, unless it was all that was said. */
  async interrupt(utterance: string): Promise<void> {
    const heard = this.#said.upTo(utterance);
    this.#stop.abort();
    if (this.#answer === null) this.#heard ??= heard;
    else if (heard !== this.#said.all) await this.#means.tools.truncateAnswer(this.#answer.messageId, heard);
  }

  /** Nobody is there to hear more of it; what was made of it is kept. */
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
    this.#means.line.say(words, { preemptible: true });
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
    this.#means.line.say(sentence);
  }
}

/** What was said of an answer, in the order in which it was handed over to be read aloud. */
class SpokenText {
  /** Heard to its end: the caller asked for more after it. */
  #heard = '';
  /** Beside the answer: what is said while it is made. */
  #before = '';
  #answer = '';

  get length(): number {
    return this.#answer.length;
  }

  /** All of the answer that was handed over. */
  get all(): string {
    return joinSentences(this.#heard, this.#answer);
  }

  filler(words: string): void {
    if (this.#answer === '') this.#before += `${words} `;
  }

  add(sentence: string): void {
    this.#answer = joinSentences(this.#answer, sentence);
  }

  /** Somebody who wants to hear on has heard what was said by then. */
  pause(): void {
    this.#heard = this.all;
    this.#before = '';
    this.#answer = '';
  }

  /** Of the answer, all up to the end of what was heard last. */
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

/** Where a sentence may end: behind the number of an item or a day, and behind a single letter, it may go on. */
const SENTENCE_END = /(?:(?<!(?<![\d:.,])\d{1,3})(?<!\b\p{L})[.!?…:]["'”’)\]]*\s+|\n+)/gu;

/** So much is held back at most while a link, a table or a piece of code is not whole. */
const MOST_UNSAID = 1_000;

/** Markdown that comes in pieces, as sentences that are read aloud as soon as each is whole. */
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

  /** What is left when all was written. */
  end(): readonly string[] {
    const left = this.#unsaid;
    this.#unsaid = '';
    return spokenSentences(left, this.#tag);
  }

  /** 0 where nothing is whole yet: nothing within a link, a table or a piece of code is, unless it is too long. */
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
    if (whole > 0 || this.#unsaid.length <= MOST_UNSAID) return whole;
    return last || this.#unsaid.lastIndexOf(' ') + 1 || this.#unsaid.length;
  }
}

function count(text: string, sign: string): number {
  return text.split(sign).length - 1;
}

/** Whether the text up to there ends with the row of a table, of which more may come. */
function isInTable(text: string, end: number): boolean {
  const said = text.slice(0, end).trimEnd();
  const line = said.slice(said.lastIndexOf('\n') + 1).trimStart();
  return line.startsWith('|') && !/^[^|\n]/.test(text.slice(end));
}
