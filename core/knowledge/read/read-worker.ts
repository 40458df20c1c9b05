import { serveThread } from '../../contract/threads.ts';
import { chunkDocument } from '../chunk-document.ts';
import { DocumentError } from '../documents/document-error.ts';
import { loadDocument } from '../loaders/load-document.ts';
import { PicturesFound } from '../loaders/loader.ts';
import type { ReadReply, ReadRequest } from './read-request.ts';

/** Runs in the reader's threads. Other errors than a DocumentError end the thread. */
async function readDocument({ source, limits, recognition }: ReadRequest): Promise<ReadReply> {
  try {
    const document = await loadDocument(source, limits, recognition);
    return { kind: 'read', result: { document, chunks: chunkDocument(document) } };
  } catch (error) {
    if (error instanceof PicturesFound) return { kind: 'pictures', format: error.format, pages: error.pages };
    if (!(error instanceof DocumentError)) throw error;
    return { kind: 'refused', code: error.code, what: error.what, cause: String(error.cause ?? '') };
  }
}

serveThread(readDocument);
