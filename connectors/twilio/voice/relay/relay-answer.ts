import type { Delivery } from '../../../../core/contract/inbound.ts';
import type { LiveAnswer, SocketTools } from '../../../../core/contract/listener.ts';
import { portionSpeech } from '../speech/portion-speech.ts';
import type { VoiceTexts } from '../voice-texts.ts';
import type { RelayLine } from './relay-line.ts';
import { SaidSoFar } from './said-so-far.ts';
import { SpeechStream } from './speech-stream.ts';

interface Means {
  readonly line: RelayLine;
  readonly tools: Pick<SocketTools, 'ask' | 'cut' | 'log'>;
  readonly texts: VoiceTexts;
  readonly language: string;
}

/** When it is quiet for so long, a word of patience is said. */
const FILLERS_MS = [700, 7_000, 15_000];
const TIMEOUT_MS = 30_000;
/** A minute of talk: more than that nobody listens to without being asked. */
const MOST = 840;

/** What came of an answer. `late`: it was not there in time. */
export type Outcome = 'said' | 'late' | 'interrupted' | 'silent' | 'handover';

/** One answer on its way to the caller, who may interrupt it. */
export class RelayAnswer {
  readonly #means: Means;
  readonly #said = new SaidSoFar();
  readonly #stop = new AbortController();
  /** What was made of it and not said: for who wants to hear on. */
  #rest: string[] = [];
  #answer: LiveAnswer | null = null;
  /** What he had heard of it when he interrupted it, or when it took too long, while it was made. */
  #heard: string | undefined;
  #isLate = false;

  constructor(means: Means) {
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
      else if (answer !== null && this.#heard !== undefined) await tools.cut(answer.messageId, this.#heard);
      return this.#outcome();
    } finally {
      for (const timer of [...timers, timeout]) clearTimeout(timer);
    }
  }

  /** The next of what was kept for who wants to hear on. */
  goOn(): void {
    const [next = [], ...others] = portionSpeech(this.#rest);
    this.#rest = others.flat();
    this.#said.pause();
    for (const sentence of next) this.#say(sentence);
  }

  /** The caller speaks; what he had heard by then is all that is kept, unless it was all that was said. */
  async interrupt(utterance: string): Promise<void> {
    const heard = this.#said.upTo(utterance);
    this.#stop.abort();
    if (this.#answer === null) this.#heard ??= heard;
    else if (heard !== this.#said.all) await this.#means.tools.cut(this.#answer.messageId, heard);
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
      if (this.#rest.length > 0 || this.#said.length + sentence.length > MOST) this.#rest.push(sentence);
      else this.#say(sentence);
    }
  }

  #say(sentence: string): void {
    this.#said.add(sentence);
    this.#means.line.say(sentence);
  }
}
