import { z } from 'zod';
import { frameSchema } from '../../v1/query-stream/frame-schema.ts';

const keptFrame = z
  .object({ token: z.literal(''), done: z.literal(true), kept: z.literal(true), message_id: z.string() })
  .meta({
    id: 'KeptFrame',
    description:
      'The only frame where a person has the conversation, or the last one where a person took it over while it was ' +
      'answered: what there is of the answer is not said then.',
  });

export const visitorFrameSchema = z.union([frameSchema, keptFrame]).meta({
  description: 'The JSON of one event, `data: <json>` on a line of its own and a blank line after it.',
});

export type KeptFrame = z.output<typeof keptFrame>;
