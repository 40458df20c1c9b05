import { z } from 'zod';
import { buildStep } from './build-step.ts';
import { embedStep } from './embed-step.ts';
import { ingestStep } from './ingest-step.ts';
import { queryStep } from './query-step.ts';
import { searchStep } from './search-step.ts';
import type { AnyStep } from './step.ts';

const steps: readonly AnyStep[] = [embedStep, buildStep, searchStep, queryStep, ingestStep];
const order = z.object({ name: z.string(), input: z.unknown() });

/** The process of one step: takes its order, answers once, and is ended by whoever started it. */
async function answer(message: unknown): Promise<object> {
  try {
    const { name, input } = order.parse(message);
    return { output: await steps.find((step) => step.name === name)?.handle(input) };
  } catch (error) {
    return { failure: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

process.once('message', (message) => void answer(message).then((reply) => process.send?.(reply)));
process.once('disconnect', () => process.exit());
