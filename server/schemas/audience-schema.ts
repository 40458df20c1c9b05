import { z } from 'zod';

/** Audience tags; whether the workspace knows them is asked later. */
export const audienceSchema = z.array(z.string().trim().min(1).max(64)).max(50);
