import { z } from 'zod';
import { ConnectorError } from '../../core/contract/connector-error.ts';
import type { OutboundPart } from '../../core/contract/outbound.ts';
import { lenient } from '../shared/lenient.ts';
import { waitingCommand } from './waiting-command.ts';

const schema = z.object({
  text: z.string(),
  /** What can be pressed under it. */
  offers: z.array(z.enum(['feedback', 'human'])),
  /** Of the visitor: what can be pressed is named in it. */
  language: lenient(z.string()),
  /** The message that it answers, by a reply. */
  replyTo: z.string().nullable(),
  /** The command that it answers. */
  interaction: lenient(waitingCommand),
  /** The first part takes the place of "thinking". */
  isFirst: z.boolean(),
  /** A person's word never takes the place of an answer that is there already. */
  author: z.enum(['bot', 'agent']),
});

export type Part = z.infer<typeof schema>;

export function partOf({ content }: OutboundPart): Part {
  const read = schema.safeParse(content);
  if (read.success) return read.data;
  throw new ConnectorError('This is not a message for Discord.', { advice: { retry: 'never' } });
}
