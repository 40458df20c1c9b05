import type { EarlierTurn } from '../contract/answer.ts';
import type { EarlierMessage } from '../contract/facets.ts';
import { joinAlternatives } from '../language/find-language.ts';
import type { Workspace } from '../workspaces/workspaces.ts';

interface MaskableQuestion {
  readonly text: string;
  readonly words?: string | undefined;
  readonly earlierTurns: readonly EarlierTurn[];
  /** A summary of the messages before `earlierTurns`. */
  readonly summary: string | null;
  readonly overheard: readonly EarlierMessage[];
}

/**
 * Returns the question and its context as language and embedding models may read them: with secrets masked, if the
 * workspace enables that. The stored messages stay unchanged.
 */
export function maskQuestion(
  { settings }: Pick<Workspace, 'settings'>,
  asked: MaskableQuestion,
): MaskableQuestion {
  if (settings.mask_secrets !== true) return asked;
  const { text, words, earlierTurns, summary, overheard } = asked;
  const masked = earlierTurns.map(({ question, answer }) => ({
    question: maskSecrets(question),
    answer: answer && maskSecrets(answer),
  }));
  return {
    text: maskSecrets(text),
    ...(words !== undefined && { words: maskSecrets(words) }),
    earlierTurns: masked,
    summary: summary && maskSecrets(summary),
    overheard: overheard.map((message) => ({ ...message, text: maskSecrets(message.text) })),
  };
}

const iban = {
  candidate: /(?<![\p{L}\p{N}])(?=([a-z]{2}\d{2}(?:[\p{Zs}\p{Pd}.]?[a-z\d]){11,30}))/giu,
  isValid: (compact: string) => isIban(compact.toUpperCase()),
  mask: '[iban]',
};
const card = {
  candidate: /(?<![\p{L}\p{N}])(?=(\d(?:[\p{Zs}\p{Pd}.]{0,2}\d){12,18}))/gu,
  isValid: isCardNumber,
  mask: '[card]',
};

/**
 * Masks payment cards, bank accounts, keys and passwords, each with a word in brackets. Numbers with a checksum come
 * first: otherwise a word such as "PIN" before a card number would mask only its first group.
 */
export function maskSecrets(text: string): string {
  return maskCredentials(maskByChecksum(maskByChecksum(text, iban), card));
}

interface Kind {
  /** Matches at each possible start; a look-ahead captures the longest possible candidate. */
  readonly candidate: RegExp;
  /** Whether the candidate, without its separators, passes the check. */
  isValid(compact: string): boolean;
  readonly mask: string;
}

/**
 * The last group of a candidate: upper-case letters, or a group with a digit. A lower-case word belongs to the sentence.
 */
const LAST_GROUP = /(?<![\p{L}\p{N}])(?:\p{Lu}+|\p{L}*\p{N}[\p{L}\p{N}]*)$/u;
const SEPARATOR = /[^\p{L}\p{N}]/gu;

/**
 * Masks numbers with a valid checksum. Adjacent digits, such as a date, may seem to belong to the number: at every
 * possible start the longest candidate that passes the check is masked, and overlapping matches are merged.
 */
function maskByChecksum(text: string, { candidate, isValid, mask }: Kind): string {
  let masked = '';
  let done = 0;
  for (const { index, 1: found = '' } of text.matchAll(candidate)) {
    const length = candidateLengths(text, index, found.length).find((size) =>
      isValid(text.slice(index, index + size).replace(SEPARATOR, '')),
    );
    if (length === undefined) continue;
    if (index >= done) masked += text.slice(done, index) + mask;
    done = Math.max(done, index + length);
  }
  return masked + text.slice(done);
}

/** Returns the lengths at which a candidate ends with a complete group, longest first. */
function candidateLengths(text: string, start: number, max: number): readonly number[] {
  const lengths = Array.from({ length: max }, (_, index) => max - index);
  return lengths.filter((length) => {
    const end = start + length;
    return !/^[\p{L}\p{N}]/u.test(text.slice(end)) && LAST_GROUP.test(text.slice(start, end));
  });
}

const SECRET = '[secret]';
/** Up to its end marker, or the end of the text if it was truncated. */
const PRIVATE_KEY =
  /-----BEGIN [A-Z\d ]{0,40}PRIVATE KEY[A-Z ]{0,40}-----(?:(?!-----END)[\s\S])*(?:-----END [^\n-]{0,80}-----)?/gu;
/** Prefixes of well-known providers' keys. */
const PROVIDER_KEY = new RegExp(
  [
    'sk-[\\w-]{16,}',
    '(?:sk|pk|rk)_(?:live|test)_\\w{10,}',
    '(?:pk|adm|ids|hf|npm|gh[oprsu]|github_pat)_[\\w-]{16,}',
    'glpat-[\\w-]{16,}',
    'xox[abeprs]-[\\w-]{10,}',
    'xapp-[\\w-]{10,}',
    'whsec_[\\w+/=-]{16,}',
    '(?:AKIA|ASIA)[A-Z\\d]{16}',
    'AIza[\\w-]{30,}',
    'ya29\\.[\\w-]{16,}',
    'GOCSPX-[\\w-]{16,}',
    'SG\\.[\\w-]{16,}\\.[\\w-]{16,}',
    '\\d{8,10}:[\\w-]{35}',
    'eyJ[\\w-]{8,600}\\.[\\w-]{8,}(?:\\.[\\w-]*)?',
  ]
    .map((form) => `(?<![\\p{L}\\p{N}_])${form}`)
    .join('|'),
  'gu',
);
const BEARER =
  /\b((?:authorization\s*:\s*(?:bearer|basic)|bearer)\s+)(?=[a-z._~+/=-]*\d|[\w.~+/=-]{24})[\w.~+/=-]{8,}/giu;
/** The credentials between the scheme and the host of a URL. */
const URL_CREDENTIALS = /(?<=[a-z]:\/\/)[^\s/@:]*:[^\s/@]+(?=@)/giu;

const secretWords = (kind: 'names' | 'wholeNames' | 'is' | 'was') =>
  joinAlternatives(({ grammar }) => grammar?.secrets?.[kind]);
const NAMES = `(?:${secretWords('names')}|(?<!\\p{L})(?:${secretWords('wholeNames')})\\d?)["']?`;
const VALUE = '(?!\\[secret\\])("[^"\\n]+"|\'[^\'\\n]+\'|\\S+)';
/** A word for a secret, a separator, and the value up to the next space. */
const LABELLED = new RegExp(`(${NAMES}(?:\\s+(?:${secretWords('is')}))?\\s*[:=：]\\s*)${VALUE}`, 'giu');
/** Without a separator, the value must contain a digit or a symbol: "my password is wrong" contains no secret. */
const STATED = new RegExp(
  `(${NAMES}\\s+(?:${secretWords('is')}|${secretWords('was')})\\s+)(?=\\S*(?:\\d|[!@#$%^&*_+=]\\S))${VALUE}`,
  'giu',
);
/** URLs are matched first and kept, because they contain long words that are not secrets. */
const LONG = /(?<![a-z])[a-z]+:\/\/\S+|(?<![\w/+=-])[\w/+-]{24,}={0,2}(?![\w/+=-])/giu;
const HEXADECIMAL = /^(?=.*\d)(?=.*[a-f])[\da-f]{32,}$/iu;

/** Masks keys, tokens and passwords. */
export function maskCredentials(text: string): string {
  return text
    .replace(PRIVATE_KEY, SECRET)
    .replace(PROVIDER_KEY, SECRET)
    .replace(BEARER, `$1${SECRET}`)
    .replace(URL_CREDENTIALS, SECRET)
    .replace(LABELLED, `$1${SECRET}`)
    .replace(STATED, `$1${SECRET}`)
    .replace(LONG, (found) => (isRandom(found) ? SECRET : found));
}

function isRandom(found: string): boolean {
  if (found.includes('://')) return false;
  if (HEXADECIMAL.test(found)) return true;
  return /[a-z]/u.test(found) && /[A-Z]/u.test(found) && (found.match(/\d/gu) ?? []).length >= 3;
}

/**
 * Returns whether digits form a payment card number: 13 to 19 digits with an issuer's first digit and a valid Luhn check
 * digit.
 */
export function isCardNumber(digits: string): boolean {
  if (!/^[2-9]\d{12,18}$/u.test(digits)) return false;
  const sum = [...digits].reverse().reduce((total, digit, index) => {
    const value = index % 2 === 0 ? Number(digit) : Number(digit) * 2;
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0;
}

/** Returns whether letters and digits without spaces form an IBAN: by its format and the remainder modulo 97. */
export function isIban(text: string): boolean {
  if (!/^[A-Z]{2}\d{2}[A-Z\d]{11,30}$/u.test(text)) return false;
  const moved = text.slice(4) + text.slice(0, 4);
  const remainder = [...moved].reduce((rest, character) => {
    const value = Number.parseInt(character, 36);
    return (rest * (value > 9 ? 100 : 10) + value) % 97;
  }, 0);
  return remainder === 1;
}
