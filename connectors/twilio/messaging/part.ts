import { z } from 'zod';
import { ConnectorError } from '../../../core/contract/connector-error.ts';
import type { OutboundPart } from '../../../core/contract/outbound.ts';

const schema = z.union([
  z.object({ body: z.string() }),
  /** A template that is kept at Twilio, with what fills its gaps. */
  z.object({ contentSid: z.string(), variables: z.record(z.string(), z.string()) }),
]);

export type Part = z.infer<typeof schema>;

export function partOf({ content }: OutboundPart): Part {
  const read = schema.safeParse(content);
  if (read.success) return read.data;
  throw new ConnectorError('This is not a message for Twilio.', { advice: { retry: 'never' } });
}
