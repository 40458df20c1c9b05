import { maskSecrets } from '../../answering/masking.ts';

/** The name and addresses of the visitor of a conversation. */
interface Customer {
  readonly name: string | null;
  readonly email: string | null;
  readonly phone: string | null;
}

const ADDRESS = /[^\s@<>()[\],;:"]{1,64}@[^\s@<>()[\],;:"]{1,190}/gu;
/** Shorter names occur in other words. */
const LEAST_NAME = 3;

/**
 * Returns words of a conversation as they may stand in a text for everybody: without secrets, mail addresses and what is
 * known of the visitor.
 */
export function maskWords(text: string, { name, phone }: Customer): string {
  const masked = maskSecrets(text).replace(ADDRESS, '[email]');
  const names = name === null ? [] : [name, ...name.split(/\s+/u)];
  const known = names.filter((word) => word.length >= LEAST_NAME).map((word) => [word, '[name]'] as const);
  const all = phone === null || phone.length < LEAST_NAME ? known : [...known, [phone, '[phone]'] as const];
  return all.reduce((done, [word, mask]) => replaceWord(done, word, mask), masked);
}

/** Replaces a text where it stands alone, whatever its case. */
function replaceWord(text: string, word: string, mask: string): string {
  const pattern = word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return text.replace(new RegExp(`(?<![\\p{L}\\p{N}])${pattern}(?![\\p{L}\\p{N}])`, 'giu'), mask);
}
