import { isSentenceEnd } from '../../knowledge/text/sentences.ts';
import { GENERAL_KNOWLEDGE, NO_ANSWER } from '../prompts/answer-v2.ts';
import type { PromptEcho } from '../prompts/prompt-echo.ts';
import { isDisguised } from '../safety/disguise.ts';
import { ACTION_CLAIM, type SentenceSupport, UngroundedWordFilter } from './sentence-support.ts';

interface AnswerTextOptions {
  readonly support: SentenceSupport;
  /** Sentences that repeat the prompt are never shown. */
  readonly echo: PromptEcho;
  /** Whether the first sentence is shown while it is written; otherwise nothing is before its sentence was judged. */
  readonly flowing: boolean;
  /** Whether sentences that nothing holds up are shown too. */
  readonly lenient: boolean;
}

const markers = [NO_ANSWER, GENERAL_KNOWLEDGE];
/** A sentence that is longer is judged in parts: the time that judging takes does not grow with what a model writes. */
const LONGEST_SENTENCE = 2_000;
/** So much of what was shown is looked at together with what comes next. */
const NEARBY = 24;
/** What may be part of a number, an address or a marker, of which more may come. */
const UNFINISHED = /[\p{N}@/:._*]/u;
const LAST_WORD = /(?<!\S)\S+$/u;
const LAST_STOP = /(?<![.!?…])[.!?…]+$/u;
/** What may end the sentence or begin a citation; a full stop within a number or an address does neither. */
const POSSIBLE_STOP = /(?<![.!?…])[.!?…]+(?=[\s[【])|[。！？｡\n[【]/u;

/**
 * The text of an answer on its way from a model to its reader. Citations are taken out and sentences that the passages
 * do not hold up are left out.
 *
 * The first sentence is shown as it is written, so that the reader sees at once that an answer comes; a gate watches
 * its words. What comes after it waits until its sentence is whole and judged: by then there is something to read.
 */
export class AnswerText {
  readonly #options: AnswerTextOptions;
  readonly #gate: UngroundedWordFilter;
  readonly #chunkIds = new Set<string>();
  /** Of the sentence that is being written. */
  #pending = '';
  /** How much of it was shown or is never to be. */
  #taken = 0;
  #showed = false;
  /** The space after what was shown, until something follows it. */
  #space = '';
  /** Whether something was shown of the line. */
  #lineBegun = false;
  #flowing: boolean;
  #opening = true;
  #grounded = false;
  #strayed = false;
  #refused = false;

  constructor(options: AnswerTextOptions) {
    this.#options = options;
    this.#flowing = options.flowing;
    this.#gate = new UngroundedWordFilter(options.support);
  }

  /** The passages that the answer rests on, as far as it was judged. */
  get chunkIds(): readonly string[] {
    return [...this.#chunkIds];
  }

  /** Whether the answer rests on passages, as far as it was judged. */
  get isGrounded(): boolean {
    return this.#grounded && !(this.#options.lenient && this.#strayed);
  }

  /** What may be shown now that the model wrote more. */
  push(text: string): string {
    if (this.#refused) return '';
    this.#pending += text;
    if (this.#opening && !this.#open(false)) return '';
    return this.#spaced(this.#judgeWhole() + this.#flow());
  }

  /** What may be shown now that the model has written all. */
  end(): string {
    if (this.#refused || (this.#opening && !this.#open(true))) return '';
    const judged = this.#judgeWhole();
    const last = this.#pending === '' ? '' : this.#judge(this.#pending);
    this.#pending = '';
    return this.#spaced(judged + last);
  }

  /** Takes a marker off the beginning; false where more has to come first, or nothing will be shown at all. */
  #open(ended: boolean): boolean {
    const begun = this.#pending.trimStart();
    this.#pending = begun;
    if (!ended && markers.some((marker) => marker.startsWith(begun))) return false;
    this.#opening = false;
    if (begun.startsWith(NO_ANSWER)) this.#refused = true;
    if (begun.startsWith(GENERAL_KNOWLEDGE)) {
      this.#strayed = true;
      this.#pending = begun.slice(GENERAL_KNOWLEDGE.length).replace(/^[:.\s]+/u, '');
    }
    return !this.#refused;
  }

  #judgeWhole(): string {
    let shown = '';
    for (let end = this.#nextEnd(); end !== null; end = this.#nextEnd()) {
      const sentence = this.#pending.slice(0, end);
      const judged = this.#judge(sentence);
      shown += judged;
      // A line of which a part is left out still ends; one that is left out whole is as if it were not there.
      if (judged === '' && this.#lineBegun && sentence.endsWith('\n')) shown += '\n';
      this.#lineBegun = !sentence.endsWith('\n') && (this.#lineBegun || judged !== '');
      this.#pending = this.#pending.slice(end);
      this.#taken = 0;
      this.#flowing = this.#options.flowing && this.#options.lenient;
    }
    return shown;
  }

  /** Where the next sentence ends: by force where it is too long, at a space if there is one. */
  #nextEnd(): number | null {
    const head = this.#pending.slice(0, LONGEST_SENTENCE);
    const end = findSentenceBoundary(head);
    if (end !== null || this.#pending.length <= LONGEST_SENTENCE) return end;
    const word = LAST_WORD.exec(head)?.[0] ?? '';
    return Math.max(head.length - word.length, this.#taken) || LONGEST_SENTENCE;
  }

  /** The rest of a sentence that is whole; nothing, or a sign that something is left out, where it is not held up. */
  #judge(sentence: string): string {
    const { text, numbers } = parseCitations(sentence);
    const rest = parseCitations(sentence.slice(this.#taken)).text;
    if (sentence.includes(NO_ANSWER)) return this.#taken === 0 ? '' : '…';
    if (this.#options.echo.isIn(text)) {
      this.#strayed = true;
      return this.#taken === 0 ? '' : '…';
    }
    const { verdict, chunkIds } = this.#options.support.judge(text, numbers);
    for (const chunkId of chunkIds) this.#chunkIds.add(chunkId);
    if (verdict === 'grounded') this.#grounded = true;
    if (verdict === 'unsupported') this.#strayed = true;
    const isShown = verdict !== 'unsupported' || this.#options.lenient || !/[\p{L}\p{N}]/u.test(rest);
    if (isShown) return rest;
    return this.#taken === 0 ? '' : '…';
  }

  /** What there is of the first sentence, as far as it can be shown without its end. */
  #flow(): string {
    let shown = '';
    while (this.#flowing) {
      const rest = this.#pending.slice(this.#taken);
      const stop = rest.search(POSSIBLE_STOP);
      const sure = stop === -1 ? withoutUnfinished(rest) : rest.slice(0, stop).trimEnd();
      if (sure !== '') shown += this.#show(sure);
      else if (stop === -1) break;
      else {
        const citation = citationLength(rest);
        if (citation === null || citation === 0) break;
        this.#taken += citation;
      }
    }
    return shown;
  }

  #show(piece: string): string {
    const { lenient, echo } = this.#options;
    const begun = this.#pending.slice(0, this.#taken + piece.length);
    const isDoubtful = !lenient && (!this.#gate.lets(piece) || ACTION_CLAIM.mayBeIn(begun));
    const isUnclear = isDisguised(begun.slice(-(piece.length + NEARBY)));
    if (isDoubtful || isUnclear || echo.mayBeIn(begun, piece.length)) {
      this.#flowing = false;
      return '';
    }
    this.#taken += piece.length;
    return piece;
  }

  /** Without space at the beginning and the end of all that is shown. */
  #spaced(text: string): string {
    const end = text.trimEnd();
    if (end === '') {
      this.#space += text;
      return '';
    }
    const begun = this.#showed ? this.#space + end : end.trimStart();
    this.#space = text.slice(end.length);
    this.#showed = true;
    return begun;
  }
}

function withoutUnfinished(text: string): string {
  const sure = text.replace(LAST_STOP, '');
  const [word = ''] = LAST_WORD.exec(sure) ?? [];
  const isUnfinished = word === '' || UNFINISHED.test(word);
  return isUnfinished ? sure.slice(0, sure.length - word.length).trimEnd() : sure;
}

/** How models write the numbers of passages: `[1]`, `[1, 3]`, `[Passage 2]`, `【1】`, with the space before them. */
const CITATION =
  /(?<!\s)\s*(?:\[\^?(?:(?:passages?|sources?|documents?)\s{0,4})?(\d{1,2}(?:\s{0,4}[,;&]\s{0,4}\d{1,2})*)\]|【(\d{1,2})[^】]{0,16}】)/giu;
const WHOLE_CITATION = new RegExp(`^(?:${CITATION.source})`, 'iu');
/** What may become one when more of it is there. */
const BEGUN_CITATION = /^\s*(?:\[[^\]\n]{0,24}|【[^】\n]{0,24})$/u;

interface CitedText {
  /** Without the numbers: the reader has nothing that they refer to. */
  readonly text: string;
  /** As written, which says nothing about whether there are such passages. */
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

/** How many characters the citation at the beginning of a text takes; 0 where none is, null where it may yet be one. */
function citationLength(raw: string): number | null {
  const whole = WHOLE_CITATION.exec(raw);
  if (whole !== null) return whole[0].length;
  return BEGUN_CITATION.test(raw) ? null : 0;
}

const LATIN_STOP = /(?<![.!?…])[.!?…]+["'”’»)\]*_]*(?=[\s[【])/u;
const WIDE_STOP = /[。！？｡]+[」』”’）]*/u;
/** Anything after which a sentence may be over. */
const SENTENCE_STOP = new RegExp(`${LATIN_STOP.source}|${WIDE_STOP.source}|\\n`, 'gu');
const CITATIONS = /^(?:\s*(?:\[[^\]\n]{1,24}\]|【[^】\n]{1,24}】))+/u;
const LIST_NUMBER = /^\s*\d{1,3}[.)]$/u;
/** What has to be there of the next sentence to be sure that it is one. */
const NEXT_WORD = /^\s+[^\s[【]+\s/u;

/** Where the first sentence of a text ends, its citations included; null where that cannot be told yet. */
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
