import { z } from 'zod';
import type { ConversationRef } from '../../core/contract/account.ts';
import { ConnectorError } from '../../core/contract/connector-error.ts';

const schema = z.object({
  to: z.string(),
  name: z.string().catch(''),
  /** Of the last mail that came. */
  subject: z.string().catch(''),
  /** The mails that the next one follows, the last of them last. */
  references: z.array(z.string()).catch([]),
  /** The words of the last mail, where they are repeated in the answer. */
  quote: z.object({ text: z.string(), at: z.string() }).nullable().catch(null),
});

export type MailAddress = z.infer<typeof schema>;

export function addressOf({ address }: ConversationRef): MailAddress {
  const read = schema.safeParse(address);
  if (read.success) return read.data;
  throw new ConnectorError('This is not the address of a mail.', { advice: { retry: 'never' } });
}
