import { z } from 'zod';

interface Limits {
  readonly min?: number;
  readonly max: number;
}

/** A string of so many characters, counted as Unicode code points; `base` may prepare it first. */
export function characters({ min = 0, max }: Limits, base = z.string()) {
  return base
    .refine((value) => {
      const count = Array.from(value).length;
      return count >= min && count <= max;
    })
    .meta({ minLength: min, maxLength: max });
}
