import type { z } from 'zod';

/** A field of a platform's payload: null where it is missing, or not what we know of it. */
export function lenient<Schema extends z.ZodType>(schema: Schema) {
  return schema.nullable().catch(null).prefault(null);
}
