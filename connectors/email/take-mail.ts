import type { Delivery } from '../../core/contract/inbound.ts';
import type { ListenerTools } from '../../core/contract/listener.ts';
import type { UnthreadedMail } from './mail.ts';
import type { EmailAccount } from './manifest.ts';
import { threadOf } from './thread-of.ts';

/** Stores a mail in its thread, unless it was taken before: from another folder, or before the server counted anew. */
export async function takeMail(
  mail: UnthreadedMail,
  account: EmailAccount,
  tools: Pick<ListenerTools, 'accept' | 'recall'>,
): Promise<void> {
  const { mail: threaded, print, quoted, remember } = await threadOf(mail, account, tools.recall);
  if (threaded === null) return;
  const delivery: Delivery = { id: print, lane: threaded.lane, native: threaded, remember };
  const quoting = quoted === null ? [] : [quotingOf(delivery, quoted)];
  await tools.accept([delivery, ...quoting]);
}

function quotingOf({ id, lane }: Delivery, quotes: string): Delivery {
  return { id: `${id}/quotes`, lane, native: { quotes } };
}
