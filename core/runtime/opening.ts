import type { Clock, Wait } from '../base/clock.ts';
import type { Logger } from '../base/log.ts';
import type { ConnectorThreads } from '../base/threads/thread-pool.ts';
import type { Config } from '../config/config.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { CountCalls } from '../models/circuit-breaker.ts';
import type { ModelOutcomes } from '../models/model-outcomes.ts';
import type { Spans } from '../tracing/spans.ts';

/** The parts of the process with which the services of every floor are opened. */
export interface Opening {
  readonly config: Config;
  /** Names this process in the log, in traces and to the others. */
  readonly processId: string;
  readonly log: Logger;
  readonly clock: Clock;
  readonly wait: Wait;
  readonly metrics: Metrics;
  readonly modelOutcomes: ModelOutcomes;
  readonly count: CountCalls;
  /** Null unless spans are exported. */
  readonly spans: Spans | null;
  readonly threads: ConnectorThreads;
  /** Returns true for a text that was not logged lately. */
  readonly isNews: (what: string) => boolean;
  /** Closes a service with the process, before all that were opened earlier. */
  readonly onClose: (close: () => Promise<void>) => void;
}
