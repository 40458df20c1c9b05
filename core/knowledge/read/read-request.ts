import type { Chunk } from '../chunk-document.ts';
import type { DocumentErrorCode } from '../documents/document-error.ts';
import type { DocumentSource, LoadedDocument, LoadingLimits, Recognition } from '../loaders/loader.ts';

export interface ReadRequest {
  readonly source: DocumentSource;
  readonly limits: LoadingLimits;
  readonly recognition: Recognition;
}

export interface ReadResult {
  readonly document: LoadedDocument;
  readonly chunks: readonly Chunk[];
}

/** The reply to each request. */
export type ReadReply =
  | { readonly kind: 'read'; readonly result: ReadResult }
  /** The pictures have to be recognised, outside the thread, before the file is read again. */
  | { readonly kind: 'pictures'; readonly format: 'pdf' | 'image'; readonly pages: readonly number[] }
  | {
      readonly kind: 'refused';
      readonly code: DocumentErrorCode;
      readonly what: string;
      readonly cause: string;
    };
