import { DocumentError } from '../document-error.ts';

/** A file as it arrived: what it claims to be is only a hint, the bytes decide. */
export interface DocumentSource {
  readonly bytes: Uint8Array;
  /** A media type as in a Content-Type header, parameters allowed. */
  readonly contentType: string | null;
  readonly fileName: string | null;
}

/** One run of text that belongs together: a paragraph, a list, a table (one block a row group) or a code block. */
export interface Block {
  /** The headings above this block, outermost first; without the document's own title. */
  readonly headings: readonly string[];
  readonly kind: 'paragraph' | 'list' | 'table' | 'code';
  /** Plain, readable text: markup removed, list items on lines of their own, table rows as `column: value` pairs. */
  readonly text: string;
}

/** What every loader makes of a file: a title, if the file states one, and its blocks in reading order. */
export interface LoadedDocument {
  readonly title: string | null;
  /** The public address that the file states as its own (front matter, canonical link), absolute and http(s). */
  readonly url: string | null;
  readonly blocks: readonly Block[];
}

/** What one document may cost. Each limit ends in a DocumentError that names it. */
export interface LoadingLimits {
  readonly maxFileBytes: number;
  readonly maxTextCharacters: number;
  readonly maxPdfPages: number;
  /** Of the text parts of a DOCX; its pictures are never unpacked. */
  readonly maxUnpackedBytes: number;
}

export const DEFAULT_LOADING_LIMITS: LoadingLimits = {
  maxFileBytes: 25 * 1024 * 1024,
  maxTextCharacters: 5_000_000,
  maxPdfPages: 3_000,
  maxUnpackedBytes: 64 * 1024 * 1024,
};

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
