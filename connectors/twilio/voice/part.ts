import { z } from 'zod';
import { ConnectorError } from '../../../core/contract/connector-error.ts';
import type { OutboundPart } from '../../../core/contract/outbound.ts';

const speech = z.object({
  kind: z.literal('speech'),
  sentences: z.array(z.string()),
  /** What the caller is asked then, and the word for what he gets if he says yes. */
  asks: z.object({ asks: z.enum(['more', 'link']), what: z.string() }).nullable(),
  /** Whether he is to speak with a person now. */
  handover: z.boolean(),
});
const message = z.object({ kind: z.literal('message'), text: z.string() });
const schema = z.discriminatedUnion('kind', [speech, message]);

/** What is read aloud in one go. */
export type SpeechPart = z.infer<typeof speech>;
/** What is sent to the caller's telephone, when he says yes to it. */
type MessagePart = z.infer<typeof message>;

export function partOf({ content }: OutboundPart): SpeechPart | MessagePart {
  const read = schema.safeParse(content);
  if (read.success) return read.data;
  throw new ConnectorError('This is nothing for a telephone.', { advice: { retry: 'never' } });
}
