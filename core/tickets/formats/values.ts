import { z } from 'zod';

/** An id as text: exports write numbers and strings. */
export const idSchema = z.union([z.string().min(1), z.number()]).transform(String);

/** A time in ISO 8601, or in seconds since 1970. Null if it is none. */
export const timeSchema = z
  .union([z.string(), z.number()])
  .nullish()
  .transform((value) => {
    const isSeconds = typeof value === 'number' || /^\d{9,11}$/u.test(value ?? '');
    const time = isSeconds ? Number(value) * 1_000 : Date.parse(value ?? '');
    return Number.isFinite(time) && Math.abs(time) < MAX_TIME ? new Date(time) : null;
  });

/** The end of the year 9999. */
const MAX_TIME = 253_402_300_799_000;

/** The entries of a list that have the shape; others are dropped, as is anything that is no list. */
export function listOf<Value>(schema: z.ZodType<Value>) {
  return z.preprocess(
    (value) =>
      Array.isArray(value)
        ? value.flatMap((one: unknown) => {
            const { success, data } = schema.safeParse(one);
            return success ? [data] : [];
          })
        : [],
    z.array(z.custom<Value>()),
  );
}
