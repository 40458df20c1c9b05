import { resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { BenchError } from '../bench-error.ts';
import { type ManagedProcess, startProcess } from '../http/managed-process.ts';

const main = resolve(import.meta.dirname, '../../../main.ts');
const patienceMs = 60_000;
const lookMs = 100;

interface Member {
  readonly service: 'server' | 'workers';
  readonly environment: Readonly<Record<string, string>>;
}

interface Options {
  readonly environment: Readonly<Record<string, string>>;
  readonly ports: readonly number[];
  readonly workers: number;
  readonly folder: string;
}

/** Servers and workers on one database, each a process that a drill may kill or restart. */
export class Installation {
  readonly servers: readonly string[];
  readonly #members: readonly Member[];
  readonly #running = new Map<Member, ManagedProcess>();

  constructor({ environment, ports, workers, folder }: Options) {
    this.servers = ports.map((port) => `http://127.0.0.1:${port}`);
    const member = (service: Member['service'], name: string, more: object = {}): Member => ({
      service,
      environment: { ...environment, DATA_DIR: `${folder}/${name}`, ...more },
    });
    this.#members = [
      ...ports.map((port) => member('server', `server-${port}`, { PORT: `${port}` })),
      ...Array.from({ length: workers }, (_, index) => member('workers', `workers-${index}`)),
    ];
  }

  async start(): Promise<void> {
    for (const member of this.#members) await this.#begin(member);
  }

  /** Kills all workers with -9; none runs until `startWorkers`. */
  async killWorkers(): Promise<void> {
    for (const member of this.#workers()) {
      const running = this.#running.get(member);
      if (running === undefined) continue;
      process.kill(running.pid, 'SIGKILL');
      await running.ended;
    }
  }

  async startWorkers(): Promise<void> {
    for (const member of this.#workers()) await this.#begin(member);
  }

  /** Restarts one process after the other, each in an orderly way; the next one when this one is ready again. */
  async restartAll(): Promise<void> {
    for (const member of this.#members) {
      await this.#running.get(member)?.stop();
      await this.#begin(member);
      // By then a load balancer that asks once a second has noticed.
      await wait(2_000);
    }
  }

  async stop(): Promise<void> {
    await Promise.all([...this.#running.values()].map((running) => running.stop()));
  }

  #workers(): readonly Member[] {
    return this.#members.filter(({ service }) => service === 'workers');
  }

  async #begin(member: Member): Promise<void> {
    const { service, environment } = member;
    const running = await startProcess({
      program: process.execPath,
      args: ['--disable-warning=ExperimentalWarning', main, service],
      environment,
      ready: service === 'server' ? /listens on/ : /Queue/,
    });
    this.#running.set(member, running);
    if (service === 'server') await untilReady(`http://127.0.0.1:${environment.PORT}`);
  }
}

async function untilReady(address: string): Promise<void> {
  for (const begun = performance.now(); performance.now() - begun < patienceMs; ) {
    const response = await fetch(`${address}/readyz`).catch(() => null);
    if (response?.status === 200) return;
    await wait(lookMs);
  }
  throw new BenchError(`balancer: ${address} does not become ready`);
}
