import { findLanguage, listParts } from '../../language/find-language.ts';
import {
  type SaidKind,
  type SmallTalkKind,
  type SmallTalkPhrases,
  saidKinds,
  sharedPhrases,
  smallTalkKinds,
} from '../../language/small-talk.ts';
import { fold } from '../../language/words.ts';

/** A message that asks the documents nothing. */
export interface SmallTalk {
  readonly kind: SaidKind;
  /** ISO 639-1; one of the languages of the replies. */
  readonly language: string;
}

const MAX_CHARACTERS = 160;
/** The codes of the languages that have small talk. */
const talkative = listParts(({ code, smallTalk }) => (smallTalk === undefined ? undefined : code));

/**
 * Returns what a message says if it consists of small talk alone, otherwise null. `language` is the visitor's: it decides
 * if the words belong to several languages.
 */
export function findSmallTalk(text: string, language: string): SmallTalk | null {
  if (text.length > MAX_CHARACTERS) return null;
  const spoken = toSpeech(text);
  if (spoken === '') return findSign(text, language);
  if (SUBSTANCE.test(text.replace(EMOTICON, ' '))) return null;
  const variants = spellings(spoken);
  const readings = talkative.flatMap((code) => {
    const kind = readAs(code, variants);
    return kind === null ? [] : [{ kind, language: code }];
  });
  const [first] = readings;
  return readings.find((reading) => reading.language === language) ?? first ?? null;
}

/** Returns whether a message says yes and nothing else. */
export function isAgreement(text: string): boolean {
  const talk = findSmallTalk(text, 'en');
  if (talk === null) return false;
  const spoken = toSpeech(text);
  if (spoken === '') return talk.kind === 'okay';
  const variants = spellings(spoken);
  return talkative.some((code) => {
    const kinds = findKinds(code, variants);
    return kinds?.has('okay') === true && !kinds.has('no') && !kinds.has('upset');
  });
}

const SENTENCE_END = /[.!?,;:\n…。！？，、؟،]+/gu;
const PLEASANT: readonly SaidKind[] = ['greeting', 'wellBeing', 'thanks', 'praise', 'goodbye'];

/** Returns a question without the greeting before it and the thanks after it. */
export function dropPleasantries(question: string): string {
  const ends = [...question.slice(0, MAX_CHARACTERS).matchAll(SENTENCE_END)];
  const starts = [0, ...ends.map(({ index, 0: mark }) => index + mark.length)].filter(
    (start) => question.slice(start).trim() !== '',
  );
  const isPleasant = (from: number, to?: number) => {
    const talk = findSmallTalk(question.slice(from, to), 'en');
    return talk !== null && PLEASANT.includes(talk.kind);
  };
  const first = starts.findIndex((start, index) => !isPleasant(start, starts[index + 1]));
  const start = starts[first] ?? 0;
  const last = starts.at(-1) ?? 0;
  const end = last > start && isPleasant(last) ? last : question.length;
  return question.slice(start, end).trim() || question;
}

/** A character that greetings do not have: a message with an amount, an address or a placeholder is about something. */
const SUBSTANCE = /[\p{N}\p{Sc}@/\\#%=+<>{}[\]|~^*_&]/u;
/** Apostrophes, and the invisible parts of emoji. */
const SILENT = /['’‘ʼ´`]|\u200d|\ufe0f/gu;
const NO_LETTER = /[^\p{L}\p{M}]+/gu;

/** Returns the folded words of a text with one space between them. */
function toSpeech(text: string): string {
  return fold(text.replace(SILENT, '')).replace(NO_LETTER, ' ').trim();
}

const EMOTICON = /(?<!\p{L})[:;=8][-']?[()DPp3|/\\](?!\p{L})|<3/gu;
const HAS_SIGN = /\p{Extended_Pictographic}|\p{Regional_Indicator}/u;
const UPSET_SIGN = /[👎😠😡🤬😤😞😢😭☹🙁😩🤦💩🖕😒🙄]|[:=]-?[(/\\]/u;
const THANKFUL_SIGN = /[🙏❤🧡💛💚💙💜🥰😍😘💐🌹]|<3/u;
const ONLY_MARKS = /^[?？؟¿!]+$/u;
const QUESTION_MARK = /[?？؟]/u;

/** Reads a message without letters. */
function findSign(text: string, visitor: string): SmallTalk | null {
  const language = languageOrEnglish(visitor);
  const sign = text.trim();
  if (ONLY_MARKS.test(sign) && QUESTION_MARK.test(sign)) return { kind: 'abilities', language };
  if (sign.replace(EMOTICON, '') === sign && !HAS_SIGN.test(sign)) return null;
  if (/\p{Sc}|\d{2}/u.test(sign)) return null;
  if (UPSET_SIGN.test(sign)) return { kind: 'upset', language };
  if (THANKFUL_SIGN.test(sign)) return { kind: 'thanks', language };
  return { kind: sign.includes('👋') ? 'greeting' : 'okay', language };
}

function languageOrEnglish(code: string): string {
  return talkative.includes(code) ? code : 'en';
}

/** Returns what the words say in one language; null if a word remains that is no small talk in it. */
function readAs(code: string, variants: readonly string[]): SaidKind | null {
  const kinds = findKinds(code, variants);
  return saidKinds.find((kind) => kinds?.has(kind)) ?? null;
}

/** Returns the kinds in the first of the spellings that consists of phrases; null if none does. */
function findKinds(code: string, variants: readonly string[]): ReadonlySet<SmallTalkKind> | null {
  const vocabulary = findVocabulary(code);
  for (const variant of variants) {
    const kinds = splitIntoPhrases(vocabulary, variant);
    if (kinds !== null) return kinds;
  }
  return null;
}

/** Returns the spellings of a text, most literal first: as written, and with its repeated letters shortened. */
function spellings(spoken: string): readonly string[] {
  return [...new Set([spoken, shorten(spoken, 1), shorten(spoken, 2)])];
}

/** Shortens letters that are written three times or more, as in `hellooo`, to `times`. */
function shorten(text: string, times: number): string {
  let short = '';
  let run: string[] = [];
  for (const letter of [...text, '']) {
    if (letter !== run[0]) {
      short += run.length > 2 ? run.slice(0, times).join('') : run.join('');
      run = [];
    }
    run.push(letter);
  }
  return short;
}

interface Vocabulary {
  readonly kinds: ReadonlyMap<string, SmallTalkKind>;
  /** The units of all phrases. */
  readonly units: ReadonlySet<string>;
  /** The length of the longest phrase, in units. */
  readonly longest: number;
  /** `''` for a language without spaces between words: its units are letters, and whole words of Latin script. */
  readonly gap: '' | ' ';
}

/** Splits a text into phrases and returns their kinds; null if it cannot be split. Longer phrases come first. */
function splitIntoPhrases(vocabulary: Vocabulary, text: string): Set<SmallTalkKind> | null {
  const { kinds, longest, gap } = vocabulary;
  const units = splitUnits(text, gap);
  // Most messages are questions, and one of their words is in no phrase.
  if (!units.every((unit) => vocabulary.units.has(unit))) return null;
  const found: (Set<SmallTalkKind> | null)[] = [];
  found[units.length] = new Set();
  for (let start = units.length - 1; start >= 0; start -= 1) {
    found[start] = null;
    for (let end = Math.min(units.length, start + longest); end > start; end -= 1) {
      const kind = kinds.get(units.slice(start, end).join(gap));
      const rest = found[end];
      if (kind === undefined || rest == null) continue;
      found[start] = new Set([kind, ...rest]);
      break;
    }
  }
  return found[0] ?? null;
}

const UNSPACED_UNIT = /\p{Script=Latin}+|\S/gu;

function splitUnits(text: string, gap: Vocabulary['gap']): readonly string[] {
  return (gap === '' ? text.match(UNSPACED_UNIT) : text.match(/\S+/gu)) ?? [];
}

const vocabularies = new Map<string, Vocabulary>();

function findVocabulary(code: string): Vocabulary {
  const built = vocabularies.get(code);
  if (built !== undefined) return built;
  const language = findLanguage(code);
  const gap = language?.spaceless === true ? '' : ' ';
  const kinds = new Map<string, SmallTalkKind>();
  const known = new Set<string>();
  let longest = 0;
  for (const [kind, list] of [
    ...entriesOf(sharedPhrases),
    ...entriesOf(language?.smallTalk?.phrases ?? {}),
  ]) {
    for (const phrase of fold(list.replace(SILENT, '')).split('|').flatMap(expand)) {
      const units = splitUnits(phrase.replaceAll('-', ' '), gap);
      if (units.length > 0 && !kinds.has(units.join(gap))) kinds.set(units.join(gap), kind);
      for (const unit of units) known.add(unit);
      longest = Math.max(longest, units.length);
    }
  }
  const vocabulary: Vocabulary = { kinds, units: known, longest, gap };
  vocabularies.set(code, vocabulary);
  return vocabulary;
}

function entriesOf(lists: SmallTalkPhrases): readonly (readonly [SmallTalkKind, string])[] {
  // `guten Tag` opens a conversation more often than it ends one.
  return (['greeting', ...smallTalkKinds] as const).map((kind) => [kind, lists[kind] ?? ''] as const);
}

/** Writes out the alternatives of a phrase. */
function expand(phrase: string): readonly string[] {
  const open = phrase.indexOf('{');
  if (open === -1) return [phrase];
  const close = phrase.indexOf('}', open);
  const rests = expand(phrase.slice(close + 1));
  const before = phrase.slice(0, open);
  return phrase
    .slice(open + 1, close)
    .split(',')
    .flatMap((choice) => rests.map((rest) => before + choice + rest));
}
