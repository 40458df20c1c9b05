import { DEFAULT_LOADING_LIMITS } from '../../../core/knowledge/loaders/loader.ts';

export interface SourceContent {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** By this name the same document is known when it is added again. */
  readonly fileName: string;
  /** A media type, when something vouches for it. */
  readonly contentType: string | null;
  /** Where it is on the web, for files null. */
  readonly url: string | null;
}

/** Something that the person wants added. */
export interface Source {
  /** As it is shown: a path or an address. */
  readonly name: string;
  /** Throws a SourceError. */
  read(signal: AbortSignal): Promise<SourceContent>;
}

/** A file or page that could not be read; the others go on. */
export class SourceError extends Error {
  readonly code: string;

  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'SourceError';
    this.code = code;
  }
}

export const maxDocumentBytes = DEFAULT_LOADING_LIMITS.maxFileBytes;

export function tooLargeError(what: string): SourceError {
  const limit = Math.floor(maxDocumentBytes / 1024 / 1024);
  return new SourceError('too_large', `${what} is larger than ${limit} MB. Split it into smaller ones.`);
}
