import type { Candidate } from './candidate.ts';

/** A passage with the document it is from. */
export interface FoundPassage extends Candidate {
  readonly title: string;
  readonly url: string | null;
}
