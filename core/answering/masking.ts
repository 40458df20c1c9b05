import type { EarlierMessage } from '../contract/facets.ts';
import type { Workspace } from '../workspaces/workspaces.ts';
import type { EarlierTurn } from './understanding/standalone-question.ts';

interface MaskableQuestion {
  readonly text: string;
  readonly earlierTurns: readonly EarlierTurn[];
  /** Of what was said before those. */
  readonly summary: string | null;
  readonly overheard: readonly EarlierMessage[];
}

/**
 * A question and what was said before it as models may read them, of answers and of embeddings: without the visitor's
 * secrets where the workspace wants it so. What is stored stays as it was written.
 */
export function maskQuestion(
  { settings }: Pick<Workspace, 'settings'>,
  asked: MaskableQuestion,
): MaskableQuestion {
  if (settings.mask_secrets !== true) return asked;
  const { text, earlierTurns, summary, overheard } = asked;
  const masked = earlierTurns.map(({ question, answer }) => ({
    question: maskSecrets(question),
    answer: answer && maskSecrets(answer),
  }));
  return {
    text: maskSecrets(text),
    earlierTurns: masked,
    summary: summary && maskSecrets(summary),
    overheard: overheard.map((said) => ({ ...said, text: maskSecrets(said.text) })),
  };
}

const iban = {
  begun: /(?<![\p{L}\p{N}])(?=([a-z]{2}\d{2}(?:[\p{Zs}\p{Pd}.]?[a-z\d]){11,30}))/giu,
  isOne: (compact: string) => isIban(compact.toUpperCase()),
  mask: '[iban]',
};
const card = {
  begun: /(?<![\p{L}\p{N}])(?=(\d(?:[\p{Zs}\p{Pd}.]{0,2}\d){12,18}))/gu,
  isOne: isCardNumber,
  mask: '[card]',
};

/**
 * A text without what nobody else needs to know: payment cards, bank accounts, keys and passwords, each replaced by a
 * word in brackets. Numbers come first: a name such as "PIN" before one would take its first group only.
 */
export function maskSecrets(text: string): string {
  return maskCredentials(maskByChecksum(maskByChecksum(text, iban), card));
}

interface Kind {
  /** Looks ahead from where one may begin, as far as one may go. */
  readonly begun: RegExp;
  /** Whether it is one, without the signs that group it. */
  isOne(compact: string): boolean;
  readonly mask: string;
}

/** No small word: that belongs to the sentence. */
const LAST_GROUP = /(?<![\p{L}\p{N}])(?:\p{Lu}+|\p{L}*\p{N}[\p{L}\p{N}]*)$/u;
const SIGN = /[^\p{L}\p{N}]/gu;

/**
 * Masks what a checksum tells. More digits before or after it, such as a date, may look as if they belonged to it: from
 * every place where one may begin, the longest reading that passes the check counts; those that overlap become one.
 */
function maskByChecksum(text: string, { begun, isOne, mask }: Kind): string {
  let masked = '';
  let done = 0;
  for (const { index, 1: found = '' } of text.matchAll(begun)) {
    const length = candidateLengths(text, index, found.length).find((each) =>
      isOne(text.slice(index, index + each).replace(SIGN, '')),
    );
    if (length === undefined) continue;
    if (index >= done) masked += text.slice(done, index) + mask;
    done = Math.max(done, index + length);
  }
  return masked + text.slice(done);
}

/** Those that end with a group, longest first. */
function candidateLengths(text: string, start: number, most: number): readonly number[] {
  const lengths = Array.from({ length: most }, (_, index) => most - index);
  return lengths.filter((length) => {
    const end = start + length;
    return !/^[\p{L}\p{N}]/u.test(text.slice(end)) && LAST_GROUP.test(text.slice(start, end));
  });
}

const SECRET = '[secret]';
/** Up to its end, or to that of the text where it was cut. */
const PRIVATE_KEY =
  /-----BEGIN [A-Z\d ]{0,40}PRIVATE KEY[A-Z ]{0,40}-----(?:(?!-----END)[\s\S])*(?:-----END [^\n-]{0,80}-----)?/gu;
/** As providers begin theirs. */
const KNOWN = new RegExp(
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
/** Between the scheme and the host of an address. */
const USER_INFO = /(?<=[a-z]:\/\/)[^\s/@:]*:[^\s/@]+(?=@)/giu;

const NAMES =
  '(?:password|passwd|passphrase|passcode|pwd|passwort|kennwort|contraseña|mot de passe|senha|(?:api|access|auth|secret|private)[ _-]?(?:key|token)|api[ _-]?schlüssel|clé api|(?<!\\p{L})(?:clave|clé|mdp|parola|secret|token|pin|puk|cvv|cvc)\\d?)["\']?';
const VALUE = '(?!\\[secret\\])("[^"\\n]+"|\'[^\'\\n]+\'|\\S+)';
/** A word for a secret, a sign, and what follows up to the next space. */
const NAMED = new RegExp(`(${NAMES}(?:\\s+(?:is|ist|lautet|es|est))?\\s*[:=：]\\s*)${VALUE}`, 'giu');
/** Without a sign it takes something that is no plain word: "my password is wrong" is about no secret. */
const STATED = new RegExp(
  `(${NAMES}\\s+(?:is|was|ist|war|lautet|es|era|est|était)\\s+)(?=\\S*(?:\\d|[!@#$%^&*_+=]\\S))${VALUE}`,
  'giu',
);
/** Addresses hold long words that are none. */
const LONG = /(?<![a-z])[a-z]+:\/\/\S+|(?<![\w/+=-])[\w/+-]{24,}={0,2}(?![\w/+=-])/giu;
const HEXADECIMAL = /^(?=.*\d)(?=.*[a-f])[\da-f]{32,}$/iu;

/** A text without keys, tokens and passwords. */
export function maskCredentials(text: string): string {
  return text
    .replace(PRIVATE_KEY, SECRET)
    .replace(KNOWN, SECRET)
    .replace(BEARER, `$1${SECRET}`)
    .replace(USER_INFO, SECRET)
    .replace(NAMED, `$1${SECRET}`)
    .replace(STATED, `$1${SECRET}`)
    .replace(LONG, (found) => (isRandom(found) ? SECRET : found));
}

function isRandom(found: string): boolean {
  if (found.includes('://')) return false;
  if (HEXADECIMAL.test(found)) return true;
  return /[a-z]/u.test(found) && /[A-Z]/u.test(found) && (found.match(/\d/gu) ?? []).length >= 3;
}

/** Whether digits are a payment card's number: 13 to 19 of them, as issuers begin theirs, with Luhn's check digit. */
export function isCardNumber(digits: string): boolean {
  if (!/^[2-9]\d{12,18}$/u.test(digits)) return false;
  const sum = [...digits].reverse().reduce((total, digit, index) => {
    const value = index % 2 === 0 ? Number(digit) : Number(digit) * 2;
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0;
}

/** Whether letters and digits, without spaces, are an IBAN: by its form and its remainder by 97. */
export function isIban(text: string): boolean {
  if (!/^[A-Z]{2}\d{2}[A-Z\d]{11,30}$/u.test(text)) return false;
  const moved = text.slice(4) + text.slice(0, 4);
  const remainder = [...moved].reduce((rest, character) => {
    const value = Number.parseInt(character, 36);
    return (rest * (value > 9 ? 100 : 10) + value) % 97;
  }, 0);
  return remainder === 1;
}
