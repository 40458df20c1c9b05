import { z } from 'zod';

/** What looks like an address; whether mail arrives there is another question. */
export const emailSchema = z
  .string()
  .trim()
  .max(320)
  .regex(/^[^\s@\p{Cc}]+@[^\s@\p{Cc}]+$/u)
  .meta({ format: 'email' });
