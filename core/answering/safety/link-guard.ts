import { findAddress } from './addresses.ts';

const BREAK = /^[\s"'(){}|`>\]]+/u;
const WORD = /^[^\s"'(){}|`<>[\]!]+/u;
const LAST_WORD = /(?<![^\s"'(){}|`<>[\]!])[^\s"'(){}|`<>[\]!]+$/u;
/** The host of one without a scheme, which is no link by itself. */
const BARE = /^(?!www\.)(?:[\p{L}\p{N}-]{1,63}\.){1,20}\p{L}{2,24}(?=[:/?#])/iu;
/** From here on the beginning of a word may be that of an address. */
const SUSPICIOUS = /[:/\\]/u;
const ADDRESS_MARK = /[:/\\.]/u;
const OPENINGS = ['https:', 'www.'];
/** No word is looked at in longer parts. */
const LONGEST_WORD = 500;

interface Part {
  readonly length: number;
  readonly text: string;
  /** To be read in its place. */
  readonly words?: string;
}

/**
 * Takes the links to foreign hosts out of a text that comes in pieces, and the tags that would load or link something;
 * the words of a link stay. Holds back only what may yet become one.
 */
export class LinkGuard {
  readonly #isOwn: (address: string) => boolean;
  #held = '';
  /** The last word of what was shown: what follows may make an address of it. */
  #word = '';
  /** The last character that was shown. */
  #last = '';

  /** `isOwn`: whether an answer may link to an address. */
  constructor(isOwn: (address: string) => boolean) {
    this.#isOwn = isOwn;
  }

  /** What may be shown now that more was written. */
  push(text: string): string {
    this.#held += text;
    return this.#release(false);
  }

  /** What may be shown now that all was written. */
  end(): string {
    return this.#release(true);
  }

  #release(ended: boolean): string {
    let shown = '';
    while (this.#held !== '') {
      const read = this.#read(ended);
      if (read === null) break;
      this.#held = (read.words ?? '') + this.#held.slice(read.length);
      this.#word = LAST_WORD.exec((this.#word + read.text).slice(-LONGEST_WORD))?.[0] ?? '';
      shown += read.text;
      // What stood between a bracket and a parenthesis kept them from being a link.
      if (read.text === '' && this.#last === ']') shown += ' ';
      this.#last = shown.at(-1) ?? this.#last;
    }
    return shown;
  }

  /** The next part of what is held and what is shown of it; null where more has to come first. */
  #read(ended: boolean): Part | null {
    const held = this.#held;
    const isForeign = (address: string) => !this.#isOwn(address);
    if (/^!?\[|^\]\(|^[!\]]$/u.test(held)) return parseMarkdownLink(held, { ended, isForeign });
    if (held.startsWith('<')) return parseTag(held, { ended, isForeign });
    const gap = BREAK.exec(held.startsWith(']') ? held.slice(0, 1) : held)?.[0].replace(/(?<=.)\].*$/su, '');
    if (gap !== undefined) return { length: gap.length, text: gap };
    const word = WORD.exec(held)?.[0];
    if (word === undefined) return { length: 1, text: held.slice(0, 1) };
    if (word.length > LONGEST_WORD) {
      const mark = word.search(ADDRESS_MARK);
      const plain = (mark === -1 ? word.length : mark) - LONGEST_WORD;
      if (plain > 0) return { length: plain, text: word.slice(0, plain) };
      const part = word.slice(0, LONGEST_WORD);
      return { length: part.length, text: this.#judged(part, isForeign) };
    }
    if (word.length === held.length && !ended) return this.#begun(word);
    return { length: word.length, text: this.#judged(word, isForeign) };
  }

  /** As much of a word that may go on as cannot be an address. */
  #begun(word: string): Part | null {
    const whole = (this.#word + word).toLowerCase();
    if (findAddress(whole) !== null || OPENINGS.some((opening) => opening.startsWith(whole))) return null;
    const end = SUSPICIOUS.test(this.#word) ? 0 : word.search(SUSPICIOUS);
    const sure = end === -1 ? word : word.slice(0, end);
    return sure === '' ? null : { length: sure.length, text: sure };
  }

  #judged(word: string, isForeign: (address: string) => boolean): string {
    const whole = this.#word + word;
    const found = findAddress(whole);
    if (found === null || !isForeign(found.address)) return word;
    const [host = ''] = BARE.exec(found.address) ?? [];
    return whole.slice(0, found.index + host.length).slice(this.#word.length) + found.closing;
  }
}

interface ParseLinkOptions {
  /** Whether no more will come. */
  readonly ended: boolean;
  isForeign(address: string): boolean;
}

/** No two parts of these may take the same character: a text of brackets would be tried in all combinations. */
const LINK =
  /^!?\[((?:[^[\]\n]|\[[^[\]\n]{0,300}\]){0,300})\]\(\s{0,20}<?([^\s)>]{0,2000})(?:[\s>][^)]{0,1000})?\)/u;
/** What is still one when more comes: its words, then its address. */
const BEGUN_LINK =
  /^!?(?:\[(?:[^[\]\n]|\[[^[\]\n]{0,300}\]){0,300}(?:\[[^[\]\n]{0,300}|\](?:\([^)]{0,2000})?)?)?$/u;
/** The end of a link whose words went before it, being too long to wait for. */
const TAIL = /^\]\(\s{0,20}<?([^\s)>]{0,2000})(?:[\s>][^)]{0,1000})?\)/u;
const BEGUN_TAIL = /^\](?:\([^)]{0,2000})?$/u;

/**
 * The Markdown link or image at the beginning of a text, of which a foreign one leaves its words, to be read again; null to wait.
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
  if (!ended && (BEGUN_LINK.test(text) || BEGUN_TAIL.test(text))) return null;
  return { length: 1, text: text.slice(0, 1) };
}

interface ParseTagOptions {
  /** Whether no more will come. */
  readonly ended: boolean;
  isForeign(address: string): boolean;
}

const TAG = /^<([a-z/!?][^<>]{0,2000})>/iu;
const BEGUN_TAG = /^<(?:[a-z/!?][^<>]{0,2000})?$/iu;
const SCHEME = /^[a-z][a-z\d+.-]*:/iu;
/** What loads, sends or links something, or runs. */
const ACTIVE =
  /^\/?(?:a|audio|base|button|embed|form|frame|iframe|img|input|link|math|meta|object|script|source|style|svg|video)\b|[\s/]\w[\w:-]*\s*=/iu;

/** The tag at the beginning of a text, of which one that does something leaves nothing; null to wait for its end. */
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
  if (!ended && BEGUN_TAG.test(text)) return null;
  // A tag that never ends is none to us, and must be none to who shows it.
  return { length: 1, text: /^<[a-z/!?]/iu.test(text) ? '‹' : '<' };
}

/** `<https://help.acme.example/returns>`, `<mailto:…>`: whatever else it holds. */
function isAutolink(inner: string): boolean {
  return SCHEME.test(inner) || findAddress(inner)?.index === 0;
}
