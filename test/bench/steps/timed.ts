import { z } from 'zod';
import type { Timed } from '../time-each.ts';

/** The form of timings in the result of a step. */
export const timed: z.ZodType<Timed> = z.object({ times: z.array(z.number()), processor: z.number() });
