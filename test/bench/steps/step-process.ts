import { z } from 'zod';
import type { AnyStep } from './step.ts';

/** Each step loads its code on demand, because memory is measured. */
const steps: ReadonlyMap<string, () => Promise<AnyStep>> = new Map<string, () => Promise<AnyStep>>([
  ['embed', async () => (await import('./embed-step.ts')).embedStep],
  ['build', async () => (await import('./build-step.ts')).buildStep],
  ['search', async () => (await import('./search-step.ts')).searchStep],
  ['query', async () => (await import('./query-step.ts')).queryStep],
  ['prepare', async () => (await import('./prepare-step.ts')).prepareStep],
  ['ingest', async () => (await import('./ingest-step.ts')).ingestStep],
  ['sources', async () => (await import('./sources-step.ts')).sourcesStep],
]);
const order = z.object({ name: z.string(), input: z.unknown() });

/** This program runs one step: it reads its order, answers once, and is ended by its parent. */
async function answer(message: unknown): Promise<object> {
  try {
    const { name, input } = order.parse(message);
    const step = await steps.get(name)?.();
    return { output: await step?.handle(input) };
  } catch (error) {
    return { failure: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

process.once('message', (message) => void answer(message).then((reply) => process.send?.(reply)));
process.once('disconnect', () => process.exit());
