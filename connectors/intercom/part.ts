import { z } from 'zod';
import { ConnectorError } from '../../core/contract/connector-error.ts';
import type { OutboundPart } from '../../core/contract/outbound.ts';

const schema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('comment'),
    html: z.string(),
    /** The same without markup, for when Intercom refuses ours. */
    text: z.string(),
  }),
  /** Buttons, which stand alone: Intercom takes no words with them. */
  z.object({
    kind: z.literal('buttons'),
    options: z.array(z.object({ text: z.string(), uuid: z.string() })),
  }),
  /** For the team. */
  z.object({ kind: z.literal('note'), html: z.string() }),
  /** To whom the conversation goes; `0` is nobody. */
  z.object({ kind: z.literal('assignment'), type: z.enum(['admin', 'team']), id: z.string() }),
]);

export type Part = z.infer<typeof schema>;

export function partOf({ content }: OutboundPart): Part {
  const read = schema.safeParse(content);
  if (read.success) return read.data;
  throw new ConnectorError('This is not a message for Intercom.', { advice: { retry: 'never' } });
}
