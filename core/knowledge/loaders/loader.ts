import type { Place } from '../../contract/answer.ts';
import { DocumentError } from '../documents/document-error.ts';
import type { CodeForm, Row } from '../passage.ts';

/** An uploaded file. Name and media type are hints; the bytes decide. */
export interface DocumentSource {
  readonly bytes: Uint8Array;
  /** Media type as in a Content-Type header, with optional parameters. */
  readonly contentType: string | null;
  readonly fileName: string | null;
}

/** One coherent piece of text: a paragraph, a list, a table (one block per row group) or a code block. */
export interface Block {
  /** The headings above this block, outermost first; without the document's own title. */
  readonly headings: readonly string[];
  readonly kind: 'paragraph' | 'list' | 'table' | 'code';
  /** Plain text without markup: one line per list item, table rows as `column: value` pairs. Code in a list is fenced. */
  readonly text: string;
  /** The language and title of a code block, if it states any. */
  readonly code?: CodeForm;
  /** Where it stands in the file, if the format tells. */
  readonly place?: Place;
  /** The number of each row of a table of a sheet. */
  readonly rowNumbers?: readonly number[];
  /** The cells of a table, if its columns are labelled. */
  readonly table?: { readonly labels: Row; readonly rows: readonly Row[] };
}

/** The result of every loader: the title, if the file states one, and the blocks in reading order. */
export interface LoadedDocument {
  readonly title: string | null;
  /** The absolute http(s) URL that the file states as its own (front matter, canonical link). */
  readonly url: string | null;
  readonly blocks: readonly Block[];
}

/** The words recognised in pictures of pages, by page from 0, in tesseract's TSV form. */
export type RecognisedPages = ReadonlyMap<number, string>;

/**
 * How pictures of text are read: null refuses them, `wanted` throws `PicturesFound` for pages without text, and pages that
 * were recognised are read.
 */
export type Recognition = null | 'wanted' | RecognisedPages;

/** A file with pictures that have to be recognised before it can be read. */
export class PicturesFound extends Error {
  readonly format: 'pdf' | 'image';
  /** From 0. */
  readonly pages: readonly number[];

  constructor(format: 'pdf' | 'image', pages: readonly number[]) {
    super('The file holds pictures of text.');
    this.name = 'PicturesFound';
    this.format = format;
    this.pages = pages;
  }
}

/** Limits per document. Exceeding one throws a DocumentError that names it. */
export interface LoadingLimits {
  readonly maxFileBytes: number;
  readonly maxTextCharacters: number;
  readonly maxPdfPages: number;
  /** Applies to the text parts of a DOCX; its pictures are never unpacked. */
  readonly maxUnpackedBytes: number;
}

export const DEFAULT_LOADING_LIMITS: LoadingLimits = {
  maxFileBytes: 25 * 1024 * 1024,
  maxTextCharacters: 5_000_000,
  maxPdfPages: 3_000,
  maxUnpackedBytes: 64 * 1024 * 1024,
};

/** Throws `empty_file` or `too_large`. It does not read the content. */
export function requireReadableSize(bytes: Uint8Array, limits: LoadingLimits): void {
  if (bytes.byteLength === 0) throw new DocumentError('empty_file');
  if (bytes.byteLength > limits.maxFileBytes) {
    throw new DocumentError('too_large', `${Math.floor(limits.maxFileBytes / 2 ** 20)} MB`);
  }
}

/** Throws `too_much_text` if `characters` exceeds the limit. */
export function requireReadableText(
  characters: number,
  { maxTextCharacters }: Pick<LoadingLimits, 'maxTextCharacters'>,
): void {
  if (characters > maxTextCharacters) {
    throw new DocumentError('too_much_text', `${maxTextCharacters.toLocaleString('en')} characters`);
  }
}
