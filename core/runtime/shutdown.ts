import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from '../base/log.ts';
import type { Config } from '../config/config.ts';
import type { HealthPort } from '../health/health-port.ts';
import type { Readiness } from '../health/readiness.ts';
import type { FaultKind, Metrics } from '../metrics/metrics.ts';

/** A part of the product that runs until it is stopped: the server, or workers. */
export interface Service {
  /** Address of a service that listens. */
  readonly address?: string;
  /** Begins what may wait until the process is ready, such as filling a cache. */
  readonly afterStart?: () => void;
  /** Stops accepting work and resolves when running work is done. */
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
  /** Exits the process. */
  readonly exit: (code: number) => never;
}

interface ShutdownOptions {
  readonly exitCode: number;
  /** True if requests are served for DRAIN_SECONDS more, until load balancers have noticed. */
  readonly drains: boolean;
}

/** The margin on the time of all shutdown steps, for a process too broken to keep to it. */
const MARGIN_SECONDS = 15;

/** Stops the services of this process in order, once, and exits. */
export class Shutdown {
  readonly #dependencies: Dependencies;
  readonly #services: Service[] = [];
  #healthPort: HealthPort | null = null;
  #running: Promise<void> | undefined;

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies;
  }

  add(service: Service): void {
    this.#services.push(service);
  }

  /** Closed last, so that the shutdown can be observed. */
  addHealthPort(port: HealthPort | null): void {
    this.#healthPort = port;
  }

  /** Starts the shutdown. Later calls return the same promise. */
  begin(options: ShutdownOptions): Promise<void> {
    this.#running ??= this.#run(options);
    return this.#running;
  }

  /**
   * Handles an unhandled rejection or exception. It may have left anything half done, so the process shuts down
   * and its supervisor starts a new one. Each fault is logged and counted.
   */
  async endAfterFault(kind: FaultKind, err: unknown): Promise<void> {
    const { runtime, exit } = this.#dependencies;
    runtime.log.fatal({ err, kind }, 'process fault, shutting down');
    runtime.metrics.faulted(kind);
    if (this.#running !== undefined) return;
    const { DRAIN_SECONDS, SHUTDOWN_SECONDS } = runtime.config;
    const maxMs = (DRAIN_SECONDS + SHUTDOWN_SECONDS + MARGIN_SECONDS) * 1_000;
    setTimeout(() => exit(1), maxMs).unref();
    await this.begin({ exitCode: 1, drains: true });
  }

  async #run({ exitCode, drains }: ShutdownOptions): Promise<void> {
    const { runtime, exit } = this.#dependencies;
    const { DRAIN_SECONDS: seconds } = runtime.config;
    try {
      runtime.readiness.leave();
      if (drains && seconds > 0 && this.#services.some(({ address }) => address !== undefined)) {
        runtime.log.info({ seconds }, 'process is draining');
        await wait(seconds * 1_000);
      }
      // Requests and jobs stop concurrently, because one after the other would take twice as long.
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
