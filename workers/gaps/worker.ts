import { AppError } from '../../core/base/errors.ts';
import { checkGapSlice, type NextSlice } from '../../core/evaluation/gaps/check-gap.ts';
import { sortQuestions } from '../../core/evaluation/gaps/sort-questions.ts';
import type { Runtime } from '../../core/runtime/runtime.ts';

/** One: answers for waiting visitors use the same models and threads. */
const concurrency = 1;

/**
 * Starts the worker that sorts questions without an answer into gaps, and asks the questions of a gap again. The returned
 * function stops it after the current question or batch.
 */
export async function runGapWorker(runtime: Runtime): Promise<() => Promise<void>> {
  const { log, queue } = runtime;
  const stopping = new AbortController();
  const { signal } = stopping;
  const stop = await queue.work('gaps', {
    concurrency,
    async run({ workspaceId, gapId }) {
      const next = await work(runtime, { workspaceId, gapId, signal }).catch((error: unknown) => {
        // It was deleted meanwhile.
        if (error instanceof AppError && error.code === 'workspace_not_found') return null;
        throw error;
      });
      if (next === null || gapId === null || signal.aborted) return;
      const { slice, delayMs } = next;
      await queue.add('gaps', `${gapId}-${slice}`, { workspaceId, gapId }, { delayMs });
    },
    async givenUp({ workspaceId, gapId }, err) {
      log.warn({ err, workspace: workspaceId, gap: gapId }, 'work on gaps failed and is tried again later');
    },
  });
  return async () => {
    stopping.abort();
    await stop();
  };
}

interface Work {
  readonly workspaceId: string;
  readonly gapId: string | null;
  readonly signal: AbortSignal;
}

/** Returns what is left to do; null if nothing is. */
async function work(runtime: Runtime, { gapId, ...sorting }: Work): Promise<NextSlice | null> {
  if (gapId !== null) return checkGapSlice(runtime, { ...sorting, gapId });
  await sortQuestions(runtime, sorting);
  return null;
}
