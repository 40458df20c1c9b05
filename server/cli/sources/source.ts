import { DEFAULT_LOADING_LIMITS } from '../../../core/knowledge/loaders/loader.ts';

export interface SourceContent {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Identifies the document when it is added again. */
  readonly fileName: string;
  /** A media type if the source declares one. */
  readonly contentType: string | null;
  /** The URL of a page; null for files. */
  readonly url: string | null;
}

/** A document that the user wants to add. */
export interface Source {
  /** The path or URL, for output. */
  readonly name: string;
  /** Throws a SourceError. */
  read(signal: AbortSignal): Promise<SourceContent>;
}

/** A file or page cannot be read. The other sources are still processed. */
export class SourceError extends Error {
  readonly code: string;

  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'SourceError';
    this.code = code;
  }
}

export const maxDocumentBytes = DEFAULT_LOADING_LIMITS.maxFileBytes;

export function tooLargeError(subject: string): SourceError {
  const limit = Math.floor(maxDocumentBytes / 1024 / 1024);
  return new SourceError(
    'too_large',
    `${subject} is larger than ${limit} MB. Split it into smaller documents.`,
  );
}
