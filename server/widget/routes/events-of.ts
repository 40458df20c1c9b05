import type { z } from 'zod';

/** A response of server-sent events, of which each is one of these. */
export function eventsOf<Frame extends z.ZodType>(schema: Frame, description: string) {
  return { description, content: { 'text/event-stream': { schema } } };
}
