import { OffsetMap } from '../offset-map.ts';
import { findAddress } from './addresses.ts';

const BREAK = /^[\s"'(){}|`>\]]+/u;
const WORD = /^[^\s"'(){}|`<>[\]!]+/u;
const LAST_WORD = /(?<![^\s"'(){}|`<>[\]!])[^\s"'(){}|`<>[\]!]+$/u;
/** The host of an address without a scheme. By itself it is no link. */
const BARE = /^(?!www\.)(?:[\p{L}\p{N}-]{1,63}\.){1,20}\p{L}{2,24}(?=[:/?#])/iu;
/** From this character on, the start of a word may be the start of an address. */
const SUSPICIOUS = /[:/\\]/u;
const ADDRESS_MARK = /[:/\\.]/u;
const OPENINGS = ['https:', 'www.'];
/** The maximum length in which a word is examined at once. */
const MAX_WORD = 500;

interface Part {
  readonly length: number;
  readonly text: string;
  /** Text to process again in its place. */
  readonly words?: string;
}

/**
 * Removes links to foreign hosts, and HTML tags that load or link something, from a text that arrives in pieces. The
 * words of a link stay. It holds back only text that may still become a link or tag.
 */
export class LinkGuard {
  readonly #isOwn: (address: string) => boolean;
  #held = '';
  /** The last word already shown; the next characters may extend it to an address. */
  #word = '';
  /** The last character already shown. */
  #last = '';
  readonly #offsets = new OffsetMap();
  /** The ends of removed links whose words are being processed: how much is left of the words, and the end's length. */
  #tails: { left: number; readonly length: number }[] = [];

  /** `isOwn` returns whether an answer may link to an address. */
  constructor(isOwn: (address: string) => boolean) {
    this.#isOwn = isOwn;
  }

  /** Adds a piece and returns the text that may be shown now. */
  push(text: string): string {
    this.#held += text;
    return this.#release(false);
  }

  /** Returns the remaining text after the last piece. */
  end(): string {
    return this.#release(true);
  }

  /** Returns where a character of the text stands in what was shown, in UTF-16 code units. */
  locate(offset: number): number {
    return this.#offsets.locate(offset);
  }

  /** Records what was read and shown. The words of a removed link stand between its start and its end. */
  #count({ length, words }: Part, shown: number): void {
    if (words === undefined) {
      this.#offsets.advance(length, shown);
      for (const tail of this.#tails) tail.left -= length;
    } else {
      const start = this.#held.startsWith('!') ? 2 : 1;
      this.#offsets.advance(start, shown);
      for (const tail of this.#tails) tail.left -= length - words.length;
      this.#tails.push({ left: words.length, length: length - start - words.length });
    }
    for (const { length: end } of this.#tails.filter(({ left }) => left <= 0)) this.#offsets.advance(end, 0);
    this.#tails = this.#tails.filter(({ left }) => left > 0);
  }

  #release(ended: boolean): string {
    let shown = '';
    while (this.#held !== '') {
      const read = this.#read(ended);
      if (read === null) break;
      this.#word = LAST_WORD.exec((this.#word + read.text).slice(-MAX_WORD))?.[0] ?? '';
      // A removed link may leave a bracket directly before a parenthesis; the space prevents them from forming a new
      // link.
      const text = read.text === '' && this.#last === ']' ? ' ' : read.text;
      shown += text;
      this.#count(read, text.length);
      this.#held = (read.words ?? '') + this.#held.slice(read.length);
      this.#last = shown.at(-1) ?? this.#last;
    }
    return shown;
  }

  /** Returns the next part of the held text and its replacement; null if more text is needed. */
  #read(ended: boolean): Part | null {
    const held = this.#held;
    const isForeign = (address: string) => !this.#isOwn(address);
    if (/^!?\[|^\]\(|^[!\]]$/u.test(held)) return parseMarkdownLink(held, { ended, isForeign });
    if (held.startsWith('<')) return parseTag(held, { ended, isForeign });
    const gap = BREAK.exec(held.startsWith(']') ? held.slice(0, 1) : held)?.[0].replace(/(?<=.)\].*$/su, '');
    if (gap !== undefined) return { length: gap.length, text: gap };
    const word = WORD.exec(held)?.[0];
    if (word === undefined) return { length: 1, text: held.slice(0, 1) };
    if (word.length > MAX_WORD) {
      const mark = word.search(ADDRESS_MARK);
      const plain = (mark === -1 ? word.length : mark) - MAX_WORD;
      if (plain > 0) return { length: plain, text: word.slice(0, plain) };
      const part = word.slice(0, MAX_WORD);
      return { length: part.length, text: this.#withoutForeign(part, isForeign) };
    }
    if (word.length === held.length && !ended) return this.#safePrefix(word);
    return { length: word.length, text: this.#withoutForeign(word, isForeign) };
  }

  /** Returns the prefix of an incomplete word that cannot belong to an address. */
  #safePrefix(word: string): Part | null {
    const whole = (this.#word + word).toLowerCase();
    if (findAddress(whole) !== null || OPENINGS.some((opening) => opening.startsWith(whole))) return null;
    const end = SUSPICIOUS.test(this.#word) ? 0 : word.search(SUSPICIOUS);
    const sure = end === -1 ? word : word.slice(0, end);
    return sure === '' ? null : { length: sure.length, text: sure };
  }

  #withoutForeign(word: string, isForeign: (address: string) => boolean): string {
    const whole = this.#word + word;
    const found = findAddress(whole);
    if (found === null || !isForeign(found.address)) return word;
    const [host = ''] = BARE.exec(found.address) ?? [];
    return whole.slice(0, found.index + host.length).slice(this.#word.length) + found.closing;
  }
}

interface ParseLinkOptions {
  /** Whether the text is complete. */
  readonly ended: boolean;
  isForeign(address: string): boolean;
}

/**
 * No two parts of these expressions match the same character; otherwise a text of brackets would cause exponential time.
 */
const LINK =
  /^!?\[((?:[^[\]\n]|\[[^[\]\n]{0,300}\]){0,300})\]\(\s{0,20}<?([^\s)>]{0,2000})(?:[\s>][^)]{0,1000})?\)/u;
/** A prefix that may still become a link: its words, then its address. */
const PARTIAL_LINK =
  /^!?(?:\[(?:[^[\]\n]|\[[^[\]\n]{0,300}\]){0,300}(?:\[[^[\]\n]{0,300}|\](?:\([^)]{0,2000})?)?)?$/u;
/** The end of a link whose words were already shown, because they were too long to hold back. */
const TAIL = /^\]\(\s{0,20}<?([^\s)>]{0,2000})(?:[\s>][^)]{0,1000})?\)/u;
const PARTIAL_TAIL = /^\](?:\([^)]{0,2000})?$/u;

/**
 * Parses the Markdown link or image at the start of a text. A foreign one is replaced by its words, which are processed
 * again. Returns null if more text is needed.
 */
function parseMarkdownLink(
  text: string,
  { ended, isForeign }: ParseLinkOptions,
): { readonly length: number; readonly text: string; readonly words?: string } | null {
  const [whole, words = '', address = ''] = LINK.exec(text) ?? [];
  if (whole !== undefined) {
    return isForeign(address)
      ? { length: whole.length, text: '', words }
      : { length: whole.length, text: whole };
  }
  const [tail, behind = ''] = TAIL.exec(text) ?? [];
  if (tail !== undefined) return { length: tail.length, text: isForeign(behind) ? ']' : tail };
  if (!ended && (PARTIAL_LINK.test(text) || PARTIAL_TAIL.test(text))) return null;
  return { length: 1, text: text.slice(0, 1) };
}

interface ParseTagOptions {
  /** Whether the text is complete. */
  readonly ended: boolean;
  isForeign(address: string): boolean;
}

const TAG = /^<([a-z/!?][^<>]{0,2000})>/iu;
const PARTIAL_TAG = /^<(?:[a-z/!?][^<>]{0,2000})?$/iu;
const SCHEME = /^[a-z][a-z\d+.-]*:/iu;
/** Tags and attributes that load, send, link or run something. */
const ACTIVE =
  /^\/?(?:a|audio|base|button|embed|form|frame|iframe|img|input|link|math|meta|object|script|source|style|svg|video)\b|[\s/]\w[\w:-]*\s*=/iu;

/** Parses the HTML tag at the start of a text. An active one is removed. Returns null if more text is needed. */
function parseTag(
  text: string,
  { ended, isForeign }: ParseTagOptions,
): { readonly length: number; readonly text: string } | null {
  const [whole, inner = ''] = TAG.exec(text) ?? [];
  if (whole !== undefined) {
    const addresses = inner.split(/\s+/u).flatMap((word) => findAddress(word)?.address ?? []);
    const isDropped = isAutolink(inner)
      ? isForeign(inner) || addresses.some(isForeign)
      : ACTIVE.test(inner) || addresses.some(isForeign);
    return { length: whole.length, text: isDropped ? '' : whole };
  }
  if (!ended && PARTIAL_TAG.test(text)) return null;
  // A tag without an end is text here, and must not become a tag in the client either.
  return { length: 1, text: /^<[a-z/!?]/iu.test(text) ? '‹' : '<' };
}

/** Autolinks such as `<https://help.acme.example/returns>` and `<mailto:…>`, whatever else the tag contains. */
function isAutolink(inner: string): boolean {
  return SCHEME.test(inner) || findAddress(inner)?.index === 0;
}
