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
const TOLD = new RegExp(
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
    .replace(TOLD, `$1${SECRET}`)
    .replace(LONG, (found) => (isRandom(found) ? SECRET : found));
}

function isRandom(found: string): boolean {
  if (found.includes('://')) return false;
  if (HEXADECIMAL.test(found)) return true;
  return /[a-z]/u.test(found) && /[A-Z]/u.test(found) && (found.match(/\d/gu) ?? []).length >= 3;
}
