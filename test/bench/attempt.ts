import { BenchError } from './bench-error.ts';
import type { BenchRun } from './bench-run.ts';

/** Runs a measurement. If it fails with a BenchError, the run reports that, goes on with the others and gets null. */
export async function attempt<Result>(run: BenchRun, measure: () => Promise<Result>): Promise<Result | null> {
  try {
    return await measure();
  } catch (error) {
    if (!(error instanceof BenchError)) throw error;
    run.fail(error.message);
    return null;
  }
}
