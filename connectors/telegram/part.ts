import { z } from 'zod';
import { ConnectorError } from '../../core/contract/connector-error.ts';
import type { OutboundPart } from '../../core/contract/outbound.ts';

const schema = z.object({
  html: z.string(),
  /** The same without markup, for when Telegram refuses ours. */
  text: z.string(),
  /** The number, in the chat, of the message that it answers. */
  replyTo: z.int().nullable(),
  /** What stands under it to be pressed, in rows. */
  keyboard: z.array(z.array(z.object({ text: z.string(), callback_data: z.string() }))).default([]),
});

export type Part = z.infer<typeof schema>;

export function partOf({ content }: OutboundPart): Part {
  const read = schema.safeParse(content);
  if (read.success) return read.data;
  throw new ConnectorError('This is not a message for Telegram.', { advice: { retry: 'never' } });
}
