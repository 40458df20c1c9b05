import type { Indexes } from './indexes.ts';
import type { EngineName } from './read-options.ts';

/** The means that the parts of one run share. */
export interface BenchRun {
  /** The folder for files that may be deleted after the run. */
  readonly folder: string;
  readonly samplesFile: string;
  readonly indexes: Indexes;
  readonly sizes: readonly number[];
  /** The absolute path of the load scripts; null if none was named. */
  readonly loadScripts: string | null;
  readonly engines: readonly EngineName[];
  /** That Slack is played with. */
  readonly eventsPerSecond: number;
  readonly awaySeconds: number;
  print(text: string): void;
  /** Reports a figure that could not be measured; the run then ends with a status of its own. */
  fail(message: string): void;
  /** Prints the current step, on the terminal only. */
  progress(text: string): void;
}
