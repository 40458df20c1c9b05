import { DocumentError } from '../document-error.ts';
import type { LoadingLimits } from './loading-limits.ts';

/** Throws `empty_file` or `too_large`, without looking at the content. */
export function requireReadableSize(bytes: Uint8Array, limits: LoadingLimits): void {
  if (bytes.byteLength === 0) throw new DocumentError('empty_file');
  if (bytes.byteLength > limits.maxFileBytes) {
    throw new DocumentError('too_large', `${Math.floor(limits.maxFileBytes / 2 ** 20)} MB`);
  }
}

/** Throws `too_much_text` when a document holds more `characters` than it may. */
export function requireReadableText(
  characters: number,
  { maxTextCharacters }: Pick<LoadingLimits, 'maxTextCharacters'>,
): void {
  if (characters > maxTextCharacters) {
    throw new DocumentError('too_much_text', `${maxTextCharacters.toLocaleString('en')} characters`);
  }
}
