import { BenchError } from './bench-error.ts';
import type { BenchRun } from './bench-run.ts';

/** Null when a figure cannot be had: it is said, and the others are measured all the same. */
export async function attempt<Result>(run: BenchRun, measure: () => Promise<Result>): Promise<Result | null> {
  try {
    return await measure();
  } catch (error) {
    if (!(error instanceof BenchError)) throw error;
    run.fail(error.message);
    return null;
  }
}
