import { z } from 'zod';

/**
 * One e-mail address, without a display name or quotes: `a,b@c.example` would be two recipients to a mail server.
 * Whether mail arrives there is not checked.
 */
export const emailSchema = z
  .string()
  .trim()
  .max(320)
  .regex(/^[^\s@\p{Cc},;:<>()[\]\\"]+@[^\s@\p{Cc},;:<>()[\]\\"]+$/u)
  .meta({ format: 'email' });
