import type { SourceContent } from './source-content.ts';

/** Something that the person wants added. */
export interface Source {
  /** As it is shown: a path or an address. */
  readonly name: string;
  /** Throws a SourceError. */
  read(signal: AbortSignal): Promise<SourceContent>;
}
