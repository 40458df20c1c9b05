import { readFileSync } from 'node:fs';
import { ForksPoolWorker, type PoolOptions, type PoolRunnerInitializer } from 'vitest/node';

/** Three workers of this size, and the processes they start, fit into twelve gigabytes. */
const enoughBytes = 3 * 2 ** 30;
const pageBytes = 4_096;

/**
 * A test process that is replaced once it has grown: modules of test files, and the objects they have opened, are
 * never freed while it runs.
 */
class RenewedWorker extends ForksPoolWorker {
  override readonly name = 'renewed';
  #pid: number | undefined;

  override async start(): Promise<void> {
    await super.start();
    this.#pid = Reflect.get(this, '_fork')?.pid;
  }

  canReuse(): boolean {
    return memoryOf(this.#pid) < enoughBytes;
  }
}

/** Returns the resident memory in bytes; 0 if the system does not tell. */
function memoryOf(pid: number | undefined): number {
  try {
    return Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]) * pageBytes;
  } catch {
    return 0;
  }
}

export const renewedWorkers: PoolRunnerInitializer = {
  name: 'renewed',
  createPoolWorker: (options: PoolOptions) => new RenewedWorker(options),
};
