import type { Block } from '../loaded-document.ts';

/** Where the walk over a page puts what it finds: a document's blocks, or the lines of a list item or table cell. */
export interface BlockSink {
  heading(level: number, text: string): void;
  add(kind: Block['kind'], text: string): void;
  innerLevel(): number;
  close(level: number): void;
}
