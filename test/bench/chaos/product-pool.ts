import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { BenchError } from '../bench-error.ts';

const main = fileURLToPath(new URL('../../../main.ts', import.meta.url));
/** Others may want the cores too. */
const usualPatienceMs = 180_000;

export interface PoolMember {
  /** The services of the process: `server`, `workers`, or both. */
  readonly services: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
}

/** The processes of an installation, each of which is restarted when it dies. */
export class ProductPool {
  readonly #members: readonly PoolMember[];
  readonly #patienceMs: number;
  readonly #running = new Map<PoolMember, ChildProcess>();
  #kills = 0;

  /** `patienceMs`: the time in which a process must be ready. */
  constructor(members: readonly PoolMember[], patienceMs = usualPatienceMs) {
    this.#members = members;
    this.#patienceMs = patienceMs;
    process.once('exit', () => this.end());
  }

  get kills(): number {
    return this.#kills;
  }

  async start(): Promise<void> {
    for (const member of this.#members) await this.#begin(member);
  }

  /** Kills one of them with -9, and restarts it. `pick` is from 0 to 1. */
  async killOne(pick: number): Promise<void> {
    const member = this.#members[Math.floor(pick * this.#members.length)];
    if (member === undefined) return;
    const child = this.#running.get(member);
    const gone = new Promise((resolve) => child?.once('exit', resolve));
    child?.kill('SIGKILL');
    await gone;
    this.#kills += 1;
    await this.#begin(member);
  }

  end(): void {
    for (const child of this.#running.values()) child.kill('SIGKILL');
  }

  async #begin(member: PoolMember): Promise<void> {
    const child = spawn(
      process.execPath,
      ['--disable-warning=ExperimentalWarning', main, ...member.services],
      {
        env: {
          PATH: process.env.PATH,
          NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
          DRAIN_SECONDS: '0',
          ...member.environment,
        },
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    );
    this.#running.set(member, child);
    let said = '';
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => reject(new BenchError(`not ready in time: ${said}`)), this.#patienceMs);
      const hear = (chunk: Buffer) => {
        said = (said + chunk.toString()).slice(-4_000);
        if (!/listens on|workers started/.test(said)) return;
        clearTimeout(timer);
        resolve();
      };
      child.stdout.on('data', hear);
      child.stderr.on('data', hear);
      child.once('exit', (code) => reject(new BenchError(`ended with ${code}: ${said}`)));
    });
  }
}
