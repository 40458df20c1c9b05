import { DEFAULT_LOADING_LIMITS } from '../../../core/knowledge/loaders/loading-limits.ts';
import { SourceError } from './source-error.ts';

export const maxDocumentBytes = DEFAULT_LOADING_LIMITS.maxFileBytes;

export function tooLarge(what: string): SourceError {
  const limit = Math.floor(maxDocumentBytes / 1024 / 1024);
  return new SourceError('too_large', `${what} is larger than ${limit} MB. Split it into smaller ones.`);
}
