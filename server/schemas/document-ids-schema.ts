import { z } from 'zod';

/** Documents to draw on; whether they exist is asked later. */
export const documentIdsSchema = z.array(z.string().min(1).max(100)).max(100);
