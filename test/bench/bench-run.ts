import type { Indexes } from './indexes.ts';
import type { EngineName } from './read-options.ts';

/** What the parts of one run share. */
export interface BenchRun {
  /** For files that may go when the run is over. */
  readonly folder: string;
  readonly samplesFile: string;
  readonly indexes: Indexes;
  readonly sizes: readonly number[];
  /** Absolute; null where none was named. */
  readonly loadScripts: string | null;
  readonly engines: readonly EngineName[];
  /** That Slack is played with. */
  readonly eventsPerSecond: number;
  readonly awaySeconds: number;
  print(text: string): void;
  /** Says what could not be measured; the run then ends with a status of its own. */
  fail(message: string): void;
  /** What is being done now: on the terminal only. */
  progress(text: string): void;
}
