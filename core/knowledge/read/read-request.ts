import type { Chunk } from '../chunk-document.ts';
import type { DocumentErrorCode } from '../document-error.ts';
import type { DocumentSource, LoadedDocument, LoadingLimits } from '../loaders/loader.ts';

export interface ReadRequest {
  readonly source: DocumentSource;
  readonly limits: LoadingLimits;
}

export interface ReadResult {
  readonly document: LoadedDocument;
  readonly chunks: readonly Chunk[];
}

/** The reply to each request. */
export type ReadReply =
  | { readonly kind: 'read'; readonly result: ReadResult }
  | {
      readonly kind: 'refused';
      readonly code: DocumentErrorCode;
      readonly what: string;
      readonly cause: string;
    };
