import type { EngineName } from './engines.ts';
import type { Indexes } from './indexes.ts';

/** What the parts of one run share. */
export interface BenchRun {
  /** For files that may go when the run is over. */
  readonly folder: string;
  readonly samplesFile: string;
  readonly indexes: Indexes;
  readonly sizes: readonly number[];
  readonly engines: readonly EngineName[];
  print(text: string): void;
  /** What is being done now: on the terminal only. */
  progress(text: string): void;
}
