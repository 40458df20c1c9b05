import { z } from 'zod';
import type { Timed } from '../time-each.ts';

/** How what was timed comes back from a step. */
export const timed: z.ZodType<Timed> = z.object({ times: z.array(z.number()), processor: z.number() });
