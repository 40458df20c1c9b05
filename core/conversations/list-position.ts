import { z } from 'zod';

const whole = String.raw`\d{1,18}`;
const snapshotPattern = new RegExp(`^${whole}:${whole}:(?:${whole}(?:,${whole})*)?$`);

/**
 * Where a list of conversations goes on: after a conversation, in the order that they were in when the first page
 * was read.
 */
export const listPositionSchema = z.object({
  /** The last conversation shown: its latest message, with microseconds, and its id. */
  at: z.iso.datetime(),
  id: z.string().regex(/^\w+$/),
  /** Nothing that is older than this has changed its place since. */
  settledBefore: z.iso.datetime(),
  /** What PostgreSQL calls a snapshot: the transactions whose messages counted on the first page. */
  snapshot: z.string().regex(snapshotPattern),
});

export type ListPosition = z.output<typeof listPositionSchema>;
