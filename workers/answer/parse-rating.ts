import { listParts, uniteWords } from '../../core/language/find-language.ts';

/** A rating that a visitor wrote. `comment` is null if they added nothing but thanks. */
export interface WrittenRating {
  /** From 1 (bad) to 5 (very good). */
  readonly score: number;
  readonly comment: string | null;
}

/** Longer messages are about something else. */
const maxCharacters = 400;

/**
 * Returns the rating if a message is nothing but one, in any of the visitors' languages: a digit of any script from 1 to 5,
 * alone, as an emoji, out of five or as stars, with thanks, praise or complaint after it. A further sentence is the
 * comment, unless it asks for something. Null for everything that may be an ordinary message. Linear in the length. Pure.
 */
export function parseRating(text: string): WrittenRating | null {
  const written = normalise(text);
  if (written === '' || written.length > maxCharacters) return null;
  const scored = takeStars(written) ?? takeDigit(written);
  if (scored === null || asks(scored.rest)) return null;
  const { score, rest, isExplicit } = scored;
  const words = splitWords(rest);
  const isOf = (word: string, ...sets: readonly ReadonlySet<string>[]) => sets.some((set) => set.has(word));
  const isThanks = words.every((word) => isOf(word, thanks, degrees));
  if (words.length === 0 || (isThanks && words.some((word) => isOf(word, thanks))))
    return { score, comment: null };
  const isOpinion = words.every((word) => isOf(word, thanks, degrees, opinions));
  const startsWithOpinion = isOf(words[0] ?? '', thanks, degrees, opinions);
  const separator = findSeparator(rest);
  const isComment =
    separator === 'strong' ||
    (separator === 'weak' && (isExplicit || startsWithOpinion)) ||
    (isExplicit && startsWithOpinion) ||
    (isOpinion && words.some((word) => isOf(word, opinions)));
  return isComment ? { score, comment: trimPunctuation(rest) } : null;
}

/** Zero of each script's decimal digits that compatibility normalisation leaves. */
const zeros = [
  ...[0x0660, 0x06f0, 0x07c0, 0x0966, 0x09e6, 0x0a66, 0x0ae6, 0x0b66, 0x0be6, 0x0c66, 0x0ce6, 0x0d66],
  ...[0x0e50, 0x0ed0, 0x0f20, 0x1040, 0x17e0, 0x1810],
];
/** Selects the look of an emoji, makes one of a digit, colours a hand, joins emoji, or sets the direction of writing. */
const invisible =
  /[\u{fe0e}\u{fe0f}\u{20e3}\u{200b}-\u{200f}\u{202a}-\u{202e}\u{2060}-\u{2069}\u{feff}]|[\u{1f3fb}-\u{1f3ff}]/gu;

function normalise(text: string): string {
  const plain = text.normalize('NFKC').replace(invisible, '').trim();
  return Array.from(plain, toAsciiDigit).join('');
}

function toAsciiDigit(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  const zero = zeros.find((first) => code >= first && code <= first + 9);
  return zero === undefined ? character : String(code - zero);
}

interface Scored {
  readonly score: number;
  /** The text after the score. */
  readonly rest: string;
  /** True if it can be nothing but a score, such as `4/5`. */
  readonly isExplicit: boolean;
}

const filledStars = new Set(['★', '⭐', '🌟', '✭', '✮']);
const hollowStars = new Set(['☆', '✩', '✰']);
const mostStars = 5;

/** One star alone may be praise, so it is no score of one unless hollow stars follow. */
function takeStars(text: string): Scored | null {
  const characters = Array.from(text);
  const end = characters.findIndex((one) => !filledStars.has(one) && !hollowStars.has(one));
  const stars = end === -1 ? characters : characters.slice(0, end);
  const score = stars.filter((one) => filledStars.has(one)).length;
  const isInOrder = stars.slice(0, score).every((one) => filledStars.has(one));
  if (score === 0 || stars.length < 2 || stars.length > mostStars || !isInOrder) return null;
  const rest = characters.slice(stars.length).join('');
  return isLetterOrDigit(rest) ? null : { score, rest, isExplicit: true };
}

const openers = new Set(['(', '[', '"', "'", '“', '„', '«', '「', '*', '_']);

function takeDigit(text: string): Scored | null {
  const written = openers.has(text.charAt(0)) ? text.slice(1) : text;
  const score = '12345'.indexOf(written.charAt(0)) + 1;
  if (written === '' || score === 0) return null;
  const rest = written.slice(1);
  const unit = findUnit(rest);
  if (unit !== null) {
    // `4 out of 5 stars`
    const more = rest.slice(unit);
    return { score, rest: more.slice(findUnit(more) ?? 0), isExplicit: true };
  }
  // `5th`, `5x`, `5kg`, `50`, `4.5`, `3/4`, `5%`, `5€` and `3-5` are no scores.
  if (isLetterOrDigit(rest) || isLetterOrDigit(rest.slice(1), 'digit')) return null;
  return rest === '' || joins.has(rest.charAt(0)) ? { score, rest, isExplicit: false } : null;
}

/** Characters that may follow a digit which is a word of its own. */
const joins = new Set(
  [
    ...[
      ' ',
      '\n',
      '\t',
      '.',
      '!',
      ',',
      ';',
      ':',
      ')',
      ']',
      '"',
      "'",
      '”',
      '“',
      '»',
      '」',
      '*',
      '_',
      '-',
      '–',
      '—',
    ],
    ...['。', '、', '،', '…', '~', '+', '👍', '🙏', '😊', '😀', '🙂', '❤', '👏', '🎉', '💯'],
  ].flatMap((one) => Array.from(one.slice(0, 1))),
);

/**
 * The units after a digit, in full; longer ones first. Those that begin with a letter follow a space, except in
 * scripts without spaces.
 */
const spacedUnits = listWords('units').toSorted((one, other) => other.length - one.length);
const attachedUnits = ['/5', '/ 5', '★', '⭐', '*', ...listWords('attachedUnits')];

function listWords(kind: 'units' | 'attachedUnits'): readonly string[] {
  return listParts(({ ratings }) => ratings?.[kind]).flatMap((units) => units.split('|'));
}

/** Returns where the unit after a digit ends. Null if there is none. */
function findUnit(rest: string): number | null {
  const spaces = rest.length - rest.trimStart().length;
  const text = rest.slice(spaces);
  const plain = text.toLowerCase();
  const attached = attachedUnits.find((one) => plain.startsWith(one));
  const unit = attached ?? spacedUnits.find((one) => plain.startsWith(one));
  if (unit === undefined) return null;
  const after = text.slice(unit.length);
  const isWhole = !isLetterOrDigit(after) && !after.startsWith('/');
  return isWhole ? spaces + unit.length : null;
}

const letterOrDigit = /^[\p{L}\p{M}\p{N}]/u;
const digit = /^\p{N}/u;

/** Returns whether a text begins with a letter or digit. */
function isLetterOrDigit(text: string, only?: 'digit'): boolean {
  return (only === 'digit' ? digit : letterOrDigit).test(text);
}

/** A new line or exclamation mark ends the score. A full stop also follows an ordinal (`5. Mai`), a comma a list. */
function findSeparator(rest: string): 'strong' | 'weak' | null {
  const start = rest.trimStart();
  const gap = rest.slice(0, rest.length - start.length);
  if (gap.includes('\n') || start.startsWith('!')) return 'strong';
  const first = start.charAt(0);
  if (['.', ',', ';', ':', '。', '、', '،', '…'].includes(first)) {
    return start.slice(1).startsWith('\n') ? 'strong' : 'weak';
  }
  const isDash = ['-', '–', '—'].includes(first) && gap !== '';
  return isDash ? 'weak' : null;
}

const wordBreak = /[^\p{L}\p{M}\p{N}'’\p{Extended_Pictographic}]+/u;

function splitWords(text: string): readonly string[] {
  return text
    .toLowerCase()
    .split(wordBreak)
    .flatMap(splitEmoji)
    .filter((word) => word !== '');
}

const letter = /[\p{L}\p{M}\p{N}]/u;

/** Emoji follow one another and words without a space. */
function splitEmoji(word: string): readonly string[] {
  const emoji = Array.from(word).filter((one) => !letter.test(one) && one !== "'" && one !== '’');
  const plain = Array.from(word)
    .filter((one) => !emoji.includes(one))
    .join('');
  return [plain.replaceAll('’', "'"), ...emoji];
}

function trimPunctuation(text: string): string {
  let start = 0;
  while (start < text.length && isEdge(text.charAt(start))) start += 1;
  return text.slice(start).trim();
}

function isEdge(character: string): boolean {
  return character.trim() === '' || joins.has(character);
}

const questionMarks = ['?', '؟', '⸮', '¿', '://', 'www.', '@'];
/** In scripts without spaces, parts of a text that ask or request. */
const askingParts = [...uniteWords(({ ratings }) => ratings?.askingParts)];
/** Words that ask, request, or say that something is left to do. */
const askingWords = uniteWords(({ ratings }) => ratings?.asking);

/** Words that ask if a sentence begins with them. */
const openingWords = uniteWords(({ ratings }) => ratings?.openings);
const sentenceEnds = ['.', '!', '\n', '。', '；', ';', ':'];

/** Returns whether an addition to a score asks or requests something, or may. */
function asks(addition: string): boolean {
  if ([...questionMarks, ...askingParts].some((part) => addition.includes(part))) return true;
  const sentences = sentenceEnds
    .reduce((texts, end) => texts.flatMap((text) => text.split(end)), [addition])
    .map(splitWords);
  return sentences.some(
    ([first = '', ...others]) =>
      openingWords.has(first) || [first, ...others].some((word) => askingWords.has(word) || digit.test(word)),
  );
}

/** Say nothing beside the score. */
const thanks: ReadonlySet<string> = new Set([
  ...uniteWords(({ ratings }) => ratings?.thanks),
  ...['👍', '🙏', '😊', '😀', '😃', '🙂', '❤', '👏', '🎉', '💯', '😍', '🌟'],
]);
/** Weigh thanks or an opinion, and say nothing alone. */
const degrees = uniteWords(({ ratings }) => ratings?.degrees);
const opinions = uniteWords(({ ratings }) => ratings?.opinions);
