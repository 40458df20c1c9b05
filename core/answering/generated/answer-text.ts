import { isSentenceEnd } from '../../language/sentences.ts';
import { GENERAL_KNOWLEDGE, NO_ANSWER, PART } from '../prompts/answer-v3.ts';
import { NO_TOOL } from '../prompts/choose-skills-v2.ts';
import type { PromptEcho } from '../prompts/prompt-echo.ts';
import { isDisguised } from '../safety/disguise.ts';
import { mayBeOpener, withoutOpeners } from './openers.ts';
import { ACTION_CLAIM, type SentenceSupport, UngroundedWordFilter } from './sentence-support.ts';

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

/**
 * Turns a model's output into the text for the reader. It removes citations, and leaves out sentences that the passages
 * do not support.
 *
 * The first sentence that is not left out is shown as it is written, so that the reader sees at once that an answer is
 * coming; a filter checks its words. Later sentences are shown when they are complete and checked: by then the reader has something to read.
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

  /** Whether sentences were left out because no passage supports them. */
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
    return this.#spaced(this.#checkComplete() + this.#flow());
  }

  /** Returns the remaining text after the model has finished. */
  end(): string {
    if (this.#refused || (this.#opening && !this.#open(true))) return '';
    const checked = this.#checkComplete();
    const last = this.#pending === '' ? '' : this.#checkPart(this.#pending);
    this.#pending = '';
    return this.#spaced(checked + last);
  }

  /** Removes openers and a marker from the start. Returns false if more text is needed, or nothing will be shown. */
  #open(ended: boolean): boolean {
    const start = withoutOpeners(this.#pending.trimStart());
    this.#pending = start;
    if (!ended && (markers.some((marker) => marker.startsWith(start)) || mayBeOpener(start))) return false;
    this.#opening = false;
    if (start.startsWith(NO_ANSWER) || BARE_NO_TOOL.test(start)) this.#refused = true;
    if (start.startsWith(GENERAL_KNOWLEDGE)) {
      this.#hasUnsupported = true;
      this.#pending = start.slice(GENERAL_KNOWLEDGE.length).replace(/^[:.\s]+/u, '');
    }
    return !this.#refused;
  }

  #checkComplete(): string {
    let shown = '';
    for (let end = this.#nextEnd(); end !== null; end = this.#nextEnd()) {
      const sentence = this.#pending.slice(0, end);
      const checked = this.#checkPart(sentence);
      shown += checked;
      // A line that is shown in part still ends with its line break; a line that is left out entirely disappears.
      if (checked === '' && this.#lineStarted && sentence.endsWith('\n')) shown += '\n';
      this.#lineStarted = !sentence.endsWith('\n') && (this.#lineStarted || checked !== '');
      this.#pending = this.#pending.slice(end);
      this.#consumed = 0;
      const isFirst = !this.#hasShown && shown.trim() === '';
      if (isFirst) this.#filter = new UngroundedWordFilter(this.#options.support);
      const { flowing, lenient, parts } = this.#options;
      this.#flowing = flowing && parts === undefined && (lenient || isFirst);
    }
    return shown;
  }

  /** Returns the end of the next sentence. A sentence that is too long is cut, at a space if possible. */
  #nextEnd(): number | null {
    const head = this.#pending.slice(0, MAX_SENTENCE);
    const end = findSentenceBoundary(head);
    if (end !== null || this.#pending.length <= MAX_SENTENCE) return end;
    const word = LAST_WORD.exec(head)?.[0] ?? '';
    return Math.max(head.length - word.length, this.#consumed) || MAX_SENTENCE;
  }

  /** Puts each of several questions above the first sentence of its answer that is shown. */
  #checkPart(sentence: string): string {
    const { parts } = this.#options;
    if (parts === undefined) return this.#check(sentence);
    const [marker = '', number] = PART_MARKER.exec(sentence) ?? [];
    if (number !== undefined) {
      this.#part = Number(number) - 1;
      this.#isHeaded = false;
    }
    const shown = this.#check(sentence.slice(marker.length));
    const question = parts[this.#part ?? -1];
    if (question === undefined || this.#isHeaded || shown.trim() === '') return shown;
    this.#isHeaded = true;
    return `\n\n**${question}**\n${shown.trimStart()}`;
  }

  /** Returns the rest of a complete sentence. An unsupported one is left out, or ends with "…" if its start was shown. */
  #check(sentence: string): string {
    const { text, numbers } = parseCitations(sentence);
    const rest = parseCitations(sentence.slice(this.#consumed)).text;
    if (sentence.includes(NO_ANSWER)) return this.#consumed === 0 ? '' : '…';
    if (this.#options.echo.isIn(text)) {
      this.#hasUnsupported = true;
      return this.#consumed === 0 ? '' : '…';
    }
    const { verdict, chunkIds } = this.#options.support.judge(text, numbers);
    for (const chunkId of chunkIds) this.#chunkIds.add(chunkId);
    if (verdict === 'grounded') this.#grounded = true;
    if (verdict === 'unsupported') this.#hasUnsupported = true;
    const isShown = verdict !== 'unsupported' || this.#options.lenient || !/[\p{L}\p{N}]/u.test(rest);
    if (isShown && verdict !== 'neutral') this.#answeredParts.add(this.#part);
    if (isShown) return rest;
    return this.#consumed === 0 ? '' : '…';
  }

  /** Returns as much of the first sentence as can be shown before it is complete. */
  #flow(): string {
    let shown = '';
    while (this.#flowing) {
      const rest = this.#pending.slice(this.#consumed);
      const stop = rest.search(POSSIBLE_STOP);
      const safe = stop === -1 ? withoutUnfinished(rest) : rest.slice(0, stop).trimEnd();
      if (safe !== '') shown += this.#show(safe);
      else if (stop === -1) break;
      else {
        const citation = citationLength(rest);
        if (citation === null || citation === 0) break;
        this.#consumed += citation;
      }
    }
    return shown;
  }

  #show(piece: string): string {
    const { lenient, echo } = this.#options;
    const start = this.#pending.slice(0, this.#consumed + piece.length);
    const isDoubtful = !lenient && (!this.#filter.lets(piece) || ACTION_CLAIM.mayBeIn(start));
    const isUnclear = isDisguised(start.slice(-(piece.length + OVERLAP)));
    if (isDoubtful || isUnclear || echo.mayBeIn(start, piece.length)) {
      this.#flowing = false;
      return '';
    }
    this.#consumed += piece.length;
    return piece;
  }

  /** Trims whitespace at the start and the end of the whole text. */
  #spaced(text: string): string {
    const end = text.trimEnd();
    if (end === '') {
      this.#space += text;
      return '';
    }
    const spaced = this.#hasShown ? this.#space + end : end.trimStart();
    const shown = this.#options.parts === undefined ? spaced : spaced.replace(BLANK_LINES, '\n\n');
    this.#space = text.slice(end.length);
    this.#hasShown = true;
    return shown;
  }
}

/** A question starts a paragraph; the line breaks before and after its marker add to that. */
const BLANK_LINES = /\n{3,}/gu;

function withoutUnfinished(text: string): string {
  const safe = text.replace(LAST_STOP, '');
  const [word = ''] = LAST_WORD.exec(safe) ?? [];
  const isUnfinished = word === '' || UNFINISHED.test(word);
  return isUnfinished ? safe.slice(0, safe.length - word.length).trimEnd() : safe;
}

/** The notations in which models cite passages: `[1]`, `[1, 3]`, `[Passage 2]`, `【1】`, with preceding whitespace. */
const CITATION =
  /(?<!\s)\s*(?:\[\^?(?:(?:passages?|sources?|documents?)\s{0,4})?(\d{1,2}(?:\s{0,4}[,;&]\s{0,4}\d{1,2})*)\]|【(\d{1,2})[^】]{0,16}】)/giu;
const WHOLE_CITATION = new RegExp(`^(?:${CITATION.source})`, 'iu');
/** A prefix that may still become a citation. */
const PARTIAL_CITATION = /^\s*(?:\[[^\]\n]{0,24}|【[^】\n]{0,24})$/u;

interface CitedText {
  /** Without citations, because the reader does not see the passages' numbers. */
  readonly text: string;
  /** The cited numbers as written; they may not exist. */
  readonly numbers: readonly number[];
}

function parseCitations(raw: string): CitedText {
  if (!raw.includes('[') && !raw.includes('【')) return { text: raw, numbers: [] };
  const numbers: number[] = [];
  const text = raw.replace(CITATION, (_, bracketed?: string, wide?: string) => {
    for (const digits of (bracketed ?? wide ?? '').match(/\d+/g) ?? []) numbers.push(Number(digits));
    return '';
  });
  return { text, numbers };
}

/** Returns the length of the citation at the start of a text; 0 if there is none, null if more text is needed. */
function citationLength(raw: string): number | null {
  const whole = WHOLE_CITATION.exec(raw);
  if (whole !== null) return whole[0].length;
  return PARTIAL_CITATION.test(raw) ? null : 0;
}

const LATIN_STOP = /(?<![.!?…])[.!?…]+["'”’»)\]*_]*(?=[\s[【])/u;
const WIDE_STOP = /[。！？｡]+[」』”’）]*/u;
/** Any position at which a sentence may end. */
const SENTENCE_STOP = new RegExp(`${LATIN_STOP.source}|${WIDE_STOP.source}|\\n`, 'gu');
const CITATIONS = /^(?:\s*(?:\[[^\]\n]{1,24}\]|【[^】\n]{1,24}】))+/u;
const LIST_NUMBER = /^\s*\d{1,3}[.)]$/u;
/** The next sentence must show this much before the end of the previous one is certain. */
const NEXT_WORD = /^\s+[^\s[【]+\s/u;

/** Returns the end of the first sentence of a text, including its citations; null if it cannot be determined yet. */
function findSentenceBoundary(text: string): number | null {
  for (const { index, 0: stop } of text.matchAll(SENTENCE_STOP)) {
    const end = index + stop.length;
    if (stop === '\n') return end;
    const rest = text.slice(end);
    const citations = CITATIONS.exec(rest)?.[0] ?? '';
    const after = rest.slice(citations.length);
    if (after.startsWith('\n')) return end + citations.length + 1;
    if (!/^\s/u.test(rest)) {
      if (after === '' || /^[[【]/u.test(after)) return null;
      return end + citations.length;
    }
    if (!NEXT_WORD.test(after)) return null;
    const piece = text.slice(0, end);
    if (
      !LIST_NUMBER.test(piece.slice(piece.lastIndexOf('\n') + 1)) &&
      isSentenceEnd(piece, after.trimStart().slice(0, 24))
    ) {
      return end + citations.length;
    }
  }
  return null;
}
