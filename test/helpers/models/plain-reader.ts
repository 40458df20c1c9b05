import { chunkDocument } from '../../../core/knowledge/chunk-document.ts';
import { loadDocument } from '../../../core/knowledge/loaders/load-document.ts';
import type { DocumentReader } from '../../../core/knowledge/read/document-reader.ts';

/** Reads files in this thread: the thread that isolates bad files has tests of its own. */
export const plainReader: Pick<DocumentReader, 'read'> = {
  async read(source) {
    const document = await loadDocument(source);
    return { document, chunks: chunkDocument(document) };
  },
};
