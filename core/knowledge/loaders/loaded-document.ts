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
