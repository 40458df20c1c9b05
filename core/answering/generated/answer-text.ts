import type { Citation } from '../../contract/answer.ts';
import type { TracedSentence, WritingObserver } from '../../contract/trace/answer-trace.ts';
import { OffsetMap } from '../offset-map.ts';
import { GENERAL_KNOWLEDGE, NO_ANSWER, PART } from '../prompts/answer-v3.ts';
import { NO_TOOL } from '../prompts/choose-skills-v2.ts';
import type { PromptEcho } from '../prompts/prompt-echo.ts';
import { isDisguised } from '../safety/disguise.ts';
import { citationLength, findSentenceBoundary, parseCitations } from './cited-sentences.ts';
import { mayBeOpener, withoutOpeners } from './openers.ts';
import {
  ACTION_CLAIM,
  type Quotable,
  type SentenceSupport,
  UngroundedWordFilter,
} from './sentence-support.ts';

interface AnswerTextOptions {
  readonly support: SentenceSupport;
  /** Sentences that repeat the prompt are never shown. */
  readonly echo: PromptEcho;
  /**
   * Whether the first sentence is shown as it is written. Otherwise each sentence is checked before any of it is shown.
   */
  readonly flowing: boolean;
  /** Whether unsupported sentences are shown too. */
  readonly lenient: boolean;
  /** The questions that the answer is about, if there are several. Each is shown above its answer. */
  readonly parts?: readonly string[] | undefined;
  /** Is told how each sentence was judged. */
  readonly observe?: WritingObserver['sentence'] | undefined;
}

const markers = [NO_ANSWER, GENERAL_KNOWLEDGE, NO_TOOL];
/** Models write the word for `no tool` for `no answer` as well. */
const BARE_NO_TOOL = new RegExp(`^${NO_TOOL}[.\\s]{0,8}$`, 'u');
/** Longer sentences are checked in parts, so that the time of a check is bounded. */
const MAX_SENTENCE = 2_000;
/** The number of shown characters that are checked again together with the next ones. */
const OVERLAP = 24;
/** Characters of a number, an address or a marker, which may continue in the next piece. */
const UNFINISHED = /[\p{N}@/:._*]/u;
/** The marker of one of several questions, which models may emphasise or end with a colon. */
const PART_MARKER = new RegExp(`^[\\s*#]{0,8}${PART}(\\d{1,2})[*:.)]{0,4}`, 'u');
const LAST_WORD = /(?<!\S)\S+$/u;
const LAST_STOP = /(?<![.!?…])[.!?…]+$/u;
/** A mark that may end the sentence or start a citation. A full stop within a number or an address does neither. */
const POSSIBLE_STOP = /(?<![.!?…])[.!?…]+(?=[\s[【])|[。！？｡\n[【]/u;

/** The text that is shown at the end of a sentence. */
interface Shown {
  readonly text: string;
  /** The passages that it rests on. */
  readonly chunkIds: readonly string[];
  /** Where the quote begins that takes the place of a sentence whose start was shown. */
  readonly quotedFrom?: number;
}

const NOTHING: Shown = { text: '', chunkIds: [] };

/**
 * Turns a model's output into the text for the reader. It removes citations. In the place of a sentence that the passages
 * do not support, it quotes what they say about the same, once; if they say nothing, it leaves the sentence out.
 *
 * The first sentence that is shown is shown as it is written, up to a number or a denial, so that the reader sees at once
 * that an answer is coming; a filter checks its words. Later sentences are shown when they are complete and checked: by then the
 * reader has something to read.
 */
export class AnswerText {
  readonly #options: AnswerTextOptions;
  #filter: UngroundedWordFilter;
  readonly #chunkIds = new Set<string>();
  /** The unfinished sentence. */
  #pending = '';
  /** How many of its characters were shown or removed. */
  #consumed = 0;
  #hasShown = false;
  /** Whitespace after the shown text, held until more text follows. */
  #space = '';
  /** Text that is shown with the current piece, and the length of all text before it. */
  #buffer = '';
  #flushed = 0;
  /** Where the visible text ends, and where that of the current sentence starts; both before whitespace is trimmed. */
  #end = 0;
  #started: number | null = null;
  readonly #citations: Citation[] = [];
  readonly #offsets = new OffsetMap();
  /** The last sentence that was shown, and the units that were quoted or said in other words. */
  #before = '';
  readonly #said = new Set<string>();
  /** Whether part of the current line was shown. */
  #lineStarted = false;
  #flowing: boolean;
  #opening = true;
  #grounded = false;
  #hasUnsupported = false;
  #refused = false;
  /** The number of the question that is being answered, from 0; null before the first marker. */
  #part: number | null = null;
  #isHeaded = true;
  readonly #answeredParts = new Set<number | null>();

  constructor(options: AnswerTextOptions) {
    this.#options = options;
    this.#flowing = options.flowing && options.parts === undefined;
    this.#filter = new UngroundedWordFilter(options.support);
  }

  /** The passages that support the sentences checked so far. */
  get chunkIds(): readonly string[] {
    return [...this.#chunkIds];
  }

  /** Whether passages support the sentences checked so far. */
  get isGrounded(): boolean {
    return this.#grounded && !(this.#options.lenient && this.#hasUnsupported);
  }

  /** Which sentences rest on which passages: offsets into the shown text, in UTF-16 code units. */
  get citations(): readonly Citation[] {
    return this.#citations.map(({ start, end, chunkIds }) => ({
      start: this.#offsets.locate(start),
      end: this.#offsets.locate(end),
      chunkIds,
    }));
  }

  /** Whether sentences were left out or replaced because no passage supports them. */
  get isTrimmed(): boolean {
    return this.#hasUnsupported;
  }

  /** The indexes of the questions that are answered; null if the model did not tell them apart. */
  get answeredParts(): readonly number[] | null {
    const indexes = [...this.#answeredParts];
    return indexes.includes(null) ? null : indexes.filter((index) => index !== null);
  }

  /** Adds output of the model and returns the text that may be shown now. */
  push(text: string): string {
    if (this.#refused) return '';
    this.#pending += text;
    if (this.#opening && !this.#open(false)) return '';
    this.#checkComplete();
    this.#flow();
    return this.#flush();
  }

  /** Returns the remaining text after the model has finished. */
  end(): string {
    if (this.#refused || (this.#opening && !this.#open(true))) return '';
    this.#checkComplete();
    if (this.#pending !== '') this.#finish(this.#pending);
    this.#pending = '';
    return this.#flush();
  }

  /** Removes openers and a marker from the start. Returns false if more text is needed, or nothing will be shown. */
  #open(ended: boolean): boolean {
    const start = withoutOpeners(this.#pending.trimStart());
    this.#pending = start;
    if (!ended && (markers.some((marker) => marker.startsWith(start)) || mayBeOpener(start))) return false;
    this.#opening = false;
    if (start.startsWith(NO_ANSWER) || BARE_NO_TOOL.test(start)) this.#refused = true;
    if (start.startsWith(GENERAL_KNOWLEDGE)) {
      this.#refused ||= !this.#options.lenient;
      this.#hasUnsupported = true;
      this.#pending = start.slice(GENERAL_KNOWLEDGE.length).replace(/^[:.\s]+/u, '');
    }
    return !this.#refused;
  }

  #checkComplete(): void {
    for (let end = this.#nextEnd(); end !== null; end = this.#nextEnd()) {
      const sentence = this.#pending.slice(0, end);
      const isShown = this.#finish(sentence);
      // A line that is shown in part still ends with its line break; a line that is left out entirely disappears.
      if (!isShown && this.#lineStarted && sentence.endsWith('\n')) this.#emit('\n');
      this.#lineStarted = !sentence.endsWith('\n') && (this.#lineStarted || isShown);
      this.#pending = this.#pending.slice(end);
      this.#consumed = 0;
      const isFirst = !this.#hasShown && this.#buffer.trim() === '';
      if (isFirst) this.#filter = new UngroundedWordFilter(this.#options.support);
      const { flowing, lenient, parts } = this.#options;
      this.#flowing = flowing && parts === undefined && (lenient || isFirst);
    }
  }

  /** Returns the end of the next sentence. A sentence that is too long is cut, at a space if possible. */
  #nextEnd(): number | null {
    const head = this.#pending.slice(0, MAX_SENTENCE);
    const end = findSentenceBoundary(head);
    if (end !== null || this.#pending.length <= MAX_SENTENCE) return end;
    const word = LAST_WORD.exec(head)?.[0] ?? '';
    return Math.max(head.length - word.length, this.#consumed) || MAX_SENTENCE;
  }

  /** Shows the rest of a complete sentence, or what takes its place. Returns whether that is anything. */
  #finish(sentence: string): boolean {
    const { parts } = this.#options;
    const [marker = '', number] = (parts && PART_MARKER.exec(sentence)) ?? [];
    if (number !== undefined) {
      this.#part = Number(number) - 1;
      this.#isHeaded = false;
    }
    const { chunkIds, quotedFrom = 0, ...shown } = this.#check(sentence.slice(marker.length));
    const isHeaded = shown.text.trim() !== '' && this.#showQuestion();
    const text = isHeaded ? shown.text.trimStart() : shown.text;
    const start = this.#flushed + this.#buffer.length + quotedFrom + spaceBefore(text.slice(quotedFrom));
    const started = quotedFrom > 0 ? start : (this.#started ?? start);
    this.#emit(text);
    this.#started = null;
    if (chunkIds.length > 0 && this.#end > started)
      this.#citations.push({ start: started, end: this.#end, chunkIds });
    return text !== '';
  }

  /** Shows each of several questions above the first sentence of its answer that is shown. Returns whether it did. */
  #showQuestion(): boolean {
    const question = this.#options.parts?.[this.#part ?? -1];
    if (question === undefined || this.#isHeaded) return false;
    this.#isHeaded = true;
    this.#emit(`\n\n**${question}**\n`);
    return true;
  }

  #check(sentence: string): Shown {
    const { text, numbers } = parseCitations(sentence);
    const rest = parseCitations(sentence.slice(this.#consumed)).text;
    const broken = this.#consumed === 0 ? NOTHING : { text: '…', chunkIds: [] };
    if (sentence.includes(NO_ANSWER)) return broken;
    if (this.#options.echo.isIn(text)) {
      this.#hasUnsupported = true;
      this.#tell({ text, verdict: 'echo', fate: 'dropped', by: [] });
      return broken;
    }
    const { verdict, chunkIds, nearest } = this.#options.support.judge(text, numbers, this.#before);
    if (verdict === 'unsupported') return this.#replace({ text, rest }, nearest, broken);
    this.#tell({ text, verdict, fate: 'kept', by: [...chunkIds] });
    if (nearest !== null) this.#said.add(nearest.text);
    if (verdict === 'grounded') this.#grounded = true;
    this.#before = text;
    return verdict === 'neutral' ? { text: rest, chunkIds } : this.#accept(rest, chunkIds);
  }

  /** Returns what takes the place of a sentence that no passage supports: itself, the nearest quote, or what is left of it. */
  #replace(
    { text, rest }: { readonly text: string; readonly rest: string },
    nearest: Quotable | null,
    broken: Shown,
  ): Shown {
    this.#hasUnsupported = true;
    const isShown = this.#options.lenient || !/[\p{L}\p{N}]/u.test(rest);
    const quote = isShown || nearest === null || this.#said.has(nearest.text) ? null : nearest;
    const fate = isShown ? 'kept' : quote === null ? 'dropped' : 'quoted';
    this.#tell({ text, verdict: 'unsupported', fate, by: quote === null ? [] : [quote.chunkId] });
    if (isShown) return this.#accept(rest, []);
    return quote === null ? broken : this.#quote(rest, quote);
  }

  #tell(sentence: TracedSentence): void {
    if (/[\p{L}\p{N}]/u.test(sentence.text)) this.#options.observe?.(sentence);
  }

  #accept(text: string, chunkIds: readonly string[]): Shown {
    for (const chunkId of chunkIds) this.#chunkIds.add(chunkId);
    this.#answeredParts.add(this.#part);
    return { text, chunkIds };
  }

  /** Quotes a unit in the place of a sentence: as the same item of a list, or after what was shown of it. */
  #quote(rest: string, { text, chunkId }: Quotable): Shown {
    this.#said.add(text);
    this.#grounded = true;
    this.#before = text;
    const lead = this.#consumed === 0 ? (LINE_START.exec(rest)?.[0] ?? '') : '… ';
    const shown = this.#accept(lead + text + rest.slice(rest.trimEnd().length), [chunkId]);
    return this.#consumed === 0 ? shown : { ...shown, quotedFrom: lead.length };
  }

  /** Shows as much of the first sentence as can be shown before it is complete. */
  #flow(): void {
    while (this.#flowing) {
      const rest = this.#pending.slice(this.#consumed);
      const stop = rest.search(POSSIBLE_STOP);
      const safe = stop === -1 ? withoutUnfinished(rest) : rest.slice(0, stop).trimEnd();
      if (safe !== '') this.#show(safe);
      else if (stop === -1) break;
      else {
        const citation = citationLength(rest);
        if (citation === null || citation === 0) break;
        this.#consumed += citation;
      }
    }
  }

  #show(piece: string): void {
    const { lenient, echo, support } = this.#options;
    const start = this.#pending.slice(0, this.#consumed + piece.length);
    const isDoubtful =
      !lenient && (!this.#filter.lets(piece) || ACTION_CLAIM.mayBeIn(start) || support.mayBeClaim(start));
    const isUnclear = isDisguised(start.slice(-(piece.length + OVERLAP)));
    if (isDoubtful || isUnclear || echo.mayBeIn(start, piece.length)) {
      this.#flowing = false;
      return;
    }
    this.#consumed += piece.length;
    if (piece.trim() !== '') this.#started ??= this.#flushed + this.#buffer.length + spaceBefore(piece);
    this.#emit(piece);
  }

  #emit(text: string): void {
    this.#buffer += text;
    if (text.trim() !== '') this.#end = this.#flushed + this.#buffer.trimEnd().length;
  }

  /** Returns the text to show now, without whitespace at the start and the end of the whole text. */
  #flush(): string {
    this.#flushed += this.#buffer.length;
    const text = this.#space + this.#buffer;
    this.#buffer = '';
    const end = text.trimEnd();
    this.#space = text.slice(end.length);
    if (end === '') return '';
    const start = this.#hasShown ? 0 : spaceBefore(end);
    this.#offsets.advance(start, 0);
    this.#hasShown = true;
    return this.#options.parts === undefined
      ? this.#copy(end.slice(start))
      : this.#joinLines(end.slice(start));
  }

  #joinLines(text: string): string {
    let joined = '';
    let from = 0;
    for (const { index, 0: lines } of text.matchAll(BLANK_LINES)) {
      joined += `${this.#copy(text.slice(from, index))}\n\n`;
      this.#offsets.advance(lines.length, 2);
      from = index + lines.length;
    }
    return joined + this.#copy(text.slice(from));
  }

  #copy(text: string): string {
    this.#offsets.advance(text.length);
    return text;
  }
}

/** A question starts a paragraph; the line breaks before and after its marker add to that. */
const BLANK_LINES = /\n{3,}/gu;
const LINE_START = /^\s*(?:(?:[-*•]|\d{1,3}[.)])\s+)?/u;

function spaceBefore(text: string): number {
  return text.length - text.trimStart().length;
}

function withoutUnfinished(text: string): string {
  const safe = text.replace(LAST_STOP, '');
  const [word = ''] = LAST_WORD.exec(safe) ?? [];
  const isUnfinished = word === '' || UNFINISHED.test(word);
  return isUnfinished ? safe.slice(0, safe.length - word.length).trimEnd() : safe;
}
