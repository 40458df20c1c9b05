import { z } from 'zod';
import { ConnectorError } from '../../core/contract/connector-error.ts';
import type { OutboundPart } from '../../core/contract/outbound.ts';

const schema = z.object({
  markdown: z.string(),
  /** The same without markup: for notifications, and for when Slack refuses the rest. */
  text: z.string(),
  sources: z.array(z.object({ title: z.string(), url: z.string().nullable() })),
  offers: z.array(z.enum(['feedback', 'human'])),
  /** ISO 639-1, of the words of what is offered; null where it is not told. */
  language: z.string().nullable(),
});

export type Part = z.infer<typeof schema>;

export function partOf({ content }: OutboundPart): Part {
  const read = schema.safeParse(content);
  if (read.success) return read.data;
  throw new ConnectorError('This is not a message for Slack.', { advice: { retry: 'never' } });
}
