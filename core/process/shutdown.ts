import { setTimeout as wait } from 'node:timers/promises';
import type { Config } from '../config.ts';
import type { HealthPort } from '../health/health-port.ts';
import type { Readiness } from '../health/readiness.ts';
import type { Logger } from '../log.ts';
import type { FaultKind, Metrics } from '../metrics/metrics.ts';

/** A part of the product that runs until it is stopped: a server, or workers. */
export interface Service {
  /** Where it can be reached, when it listens. */
  readonly address?: string;
  /** Takes nothing new and resolves when what runs is done. */
  stop(): Promise<void>;
}

interface Dependencies {
  readonly runtime: {
    readonly config: Config;
    readonly log: Logger;
    readonly metrics: Metrics;
    readonly readiness: Readiness;
    close(): Promise<void>;
  };
  /** Ends the process. */
  readonly exit: (code: number) => never;
}

interface Ending {
  readonly exitCode: number;
  /** Whether requests are served for DRAIN_SECONDS more, until load balancers have noticed. */
  readonly drains: boolean;
}

/** Beyond what the parts of a stop may take, where the process is too broken to keep to that. */
const marginSeconds = 15;

/** Stops what this process runs, in order and once, and ends the process. */
export class Shutdown {
  readonly #dependencies: Dependencies;
  readonly #services: Service[] = [];
  #healthPort: HealthPort | null = null;
  #begun: Promise<void> | undefined;

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies;
  }

  add(service: Service): void {
    this.#services.push(service);
  }

  /** Closed last, so that the end can be watched. */
  addHealthPort(port: HealthPort | null): void {
    this.#healthPort = port;
  }

  /** The second call and all after it change nothing. */
  begin(ending: Ending): Promise<void> {
    this.#begun ??= this.#run(ending);
    return this.#begun;
  }

  /**
   * A rejection or an exception that nothing handled: its cause may have left anything half done, so the process ends in
   * order and its supervisor starts another. Each is logged and counted.
   */
  async endAfterFault(kind: FaultKind, err: unknown): Promise<void> {
    const { runtime, exit } = this.#dependencies;
    runtime.log.fatal({ err, kind }, 'process fault: the process ends');
    runtime.metrics.faulted(kind);
    if (this.#begun !== undefined) return;
    const { DRAIN_SECONDS, SHUTDOWN_SECONDS } = runtime.config;
    const longestMs = (DRAIN_SECONDS + SHUTDOWN_SECONDS + marginSeconds) * 1_000;
    setTimeout(() => exit(1), longestMs).unref();
    await this.begin({ exitCode: 1, drains: true });
  }

  async #run({ exitCode, drains }: Ending): Promise<void> {
    const { runtime, exit } = this.#dependencies;
    const { DRAIN_SECONDS: seconds } = runtime.config;
    try {
      runtime.readiness.leave();
      if (drains && seconds > 0 && this.#services.some(({ address }) => address !== undefined)) {
        runtime.log.info({ seconds }, 'process is draining');
        await wait(seconds * 1_000);
      }
      // Requests in flight and jobs at work have the same time: one after the other they would take twice as long.
      await Promise.all(this.#services.splice(0).map((service) => service.stop()));
      await this.#healthPort?.close();
      await runtime.close();
    } catch (err) {
      runtime.log.error({ err }, 'shutdown failed');
      exit(1);
    }
    exit(exitCode);
  }
}
