/** Names of people that the product, or a role of it, goes by: a person of that name would pass for it. */
const RESERVED = new Set([
  'admin',
  'administrator',
  'ai',
  'assistant',
  'bot',
  'chatbot',
  'operator',
  'parley',
  'parleybot',
  'parleysupport',
  'parleyteam',
  'root',
  'system',
]);

/** Longest name of a person and of an identity provider, in characters. */
export const PERSON_NAME_CHARACTERS = 80;

/** Letters of other scripts, and digits, that look like Latin letters in the reserved names. */
const LOOKALIKES: Readonly<Record<string, string>> = {
  ...{ а: 'a', α: 'a', ɑ: 'a', ь: 'b', в: 'b', с: 'c', ϲ: 'c', ԁ: 'd', е: 'e', ε: 'e' },
  ...{ һ: 'h', н: 'h', і: 'i', ι: 'i', ı: 'i', ј: 'j', к: 'k', κ: 'k', ӏ: '1' },
  ...{ м: 'm', п: 'n', ո: 'n', о: 'o', ο: 'o', օ: 'o', р: 'p', ρ: 'p', г: 'r', ѕ: 's' },
  ...{ т: 't', τ: 't', υ: 'u', ս: 'u', х: 'x', χ: 'x', у: 'y', γ: 'y' },
  ...{ '0': 'o', '3': 'e', '4': 'a', '5': 's', '7': 't', '@': 'a', $: 's', '|': '1', '!': '1' },
};

/** Line ends and other control characters, and those that are invisible or turn the direction of text around. */
const HIDDEN = /[\p{Cc}\p{Zl}\p{Zp}\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/u;

/** Returns true for a text that could break a line of a mail or a log, or show as another text. */
export function hasHiddenCharacters(text: string): boolean {
  return HIDDEN.test(text);
}

/** Returns true for a text that mail programs make a link of, also without a protocol. */
export function hasWebAddress(text: string): boolean {
  const folded = text.normalize('NFKC').toLowerCase();
  return (
    folded.includes('://') ||
    /(?:^|[^\p{L}\p{N}])www\./u.test(folded) ||
    /[\p{L}\p{N}]\.[a-z]{2,24}\/\S/u.test(folded)
  );
}

/** Returns true for a name that only the product may have, in whatever case, spacing, marks or similar letters. */
export function isReservedName(name: string): boolean {
  const plain = name.normalize('NFKD').toLowerCase().replaceAll(/\p{M}/gu, '');
  const alike = Array.from(plain, (sign) => LOOKALIKES[sign] ?? sign).join('');
  const letters = alike.replaceAll(/[^\p{L}\p{N}]/gu, '');
  // One looks like either of two letters.
  return ['i', 'l'].some((letter) => RESERVED.has(letters.replaceAll('1', letter)));
}

/** Returns the name that a provider gave a person, or their address if nobody may choose such a name here. */
export function toPersonName(given: string | undefined, email: string): string {
  const name = given?.trim() ?? '';
  const characters = Array.from(name).length;
  const isFine = characters > 0 && characters <= PERSON_NAME_CHARACTERS;
  if (isFine && !hasHiddenCharacters(name) && !hasWebAddress(name) && !isReservedName(name)) return name;
  const local = email.slice(0, email.lastIndexOf('@'));
  return isReservedName(local) ? email : local;
}
