import { z } from 'zod';

/** A command that waits for its answer: its token is the way to say something until it is not good any more. */
export const waitingCommand = z.object({
  token: z.string(),
  goodUntil: z.int(),
  /** Of it nothing is said to anybody but who gave it. */
  isPrivate: z.literal(true).exactOptional(),
  /** "Thinking" has been replaced already; only a private one is kept after that. */
  isUsed: z.literal(true).exactOptional(),
});
