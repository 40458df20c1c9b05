import { DocumentReader } from '../../../core/knowledge/read/document-reader.ts';

const reader = new DocumentReader();

/**
 * The reader of all runtimes of a test process, never closed: its threads take longer to start than most files to
 * read.
 */
export function lendReader(): DocumentReader {
  return reader;
}
