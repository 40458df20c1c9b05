import { vi } from 'vitest';
import type { Runtime } from '../../../../core/runtime/runtime.ts';

/** Lets answers from documents wait, as for a slow model, until the returned function is called. */
export function holdQuestions({ embedder }: Pick<Runtime, 'embedder'>): () => void {
  const hold = Promise.withResolvers<void>();
  const embed = embedder.embedQuery.bind(embedder);
  const spy = vi.spyOn(embedder, 'embedQuery').mockImplementation(async (text) => {
    await hold.promise;
    return embed(text);
  });
  return () => {
    spy.mockRestore();
    hold.resolve();
  };
}
