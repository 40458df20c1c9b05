import { z } from 'zod';
import type { Json } from '../../../core/contract/account.ts';

const schema = z.object({
  botId: z.string(),
  /** Null before the first one, and where Discord knows it no more. */
  session: z.object({ id: z.string(), resumeUrl: z.string(), seq: z.int() }).nullable(),
  /** Until when everything was heard, in milliseconds; null where nothing ever was. */
  heardAt: z.int().nullable(),
  /** Servers of which not everything was heard, since when. */
  gaps: z.record(z.string(), z.int()),
  /** Direct conversations, the latest last: Discord does not tell which there are. */
  directs: z.array(z.string()),
});

export type Cursor = z.infer<typeof schema>;

/** What another bot heard is nothing that this one can go on with. */
export function cursorOf(kept: Json, botId: string): Cursor {
  const { data } = schema.safeParse(kept);
  if (data?.botId === botId) return data;
  return { botId, session: null, heardAt: null, gaps: {}, directs: [] };
}
