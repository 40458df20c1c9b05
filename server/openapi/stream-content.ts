import { z } from 'zod';

/** What a response may hold, by media type. */
export const contentSchema = z.record(
  z.string(),
  z.looseObject({ schema: z.record(z.string(), z.unknown()) }),
);

type Content = z.output<typeof contentSchema>;

const mediaType = 'text/event-stream';

/**
 * A stream of events is one text to a validator: what its schema says of a single event becomes the schema of the
 * text's content.
 */
export function streamContent(content: Content): Content {
  const stream = content[mediaType];
  if (stream === undefined || stream.schema.type === 'string') return content;
  const schema = {
    type: 'string',
    description: 'Events as `data: <JSON>` and an empty line; contentSchema is that of the JSON of each.',
    contentMediaType: mediaType,
    contentSchema: stream.schema,
  };
  return { ...content, [mediaType]: { ...stream, schema } };
}
