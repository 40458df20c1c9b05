import { z } from 'zod';
import { ConnectorError } from '../../core/contract/connector-error.ts';
import type { OutboundPart } from '../../core/contract/outbound.ts';

const schema = z.object({
  /** Ours, without brackets: the same when the part is sent again. */
  messageId: z.string(),
  to: z.object({ name: z.string(), address: z.string() }),
  /** Where answers to it come to; null where that is the address it is from. */
  replyTo: z.string().nullable(),
  subject: z.string(),
  text: z.string(),
  html: z.string(),
  references: z.array(z.string()),
  /** Whether a machine wrote it. */
  isAutomatic: z.boolean(),
});

export type Part = z.infer<typeof schema>;

export function partOf({ content }: OutboundPart): Part {
  const read = schema.safeParse(content);
  if (read.success) return read.data;
  throw new ConnectorError('This is not a mail to be sent.', { advice: { retry: 'never' } });
}
