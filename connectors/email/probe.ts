import type { Json, Tools } from '../../core/contract/account.ts';
import { boxOf } from './mailbox-position.ts';
import type { EmailAccount } from './manifest.ts';
import { withSmtp } from './open-smtp.ts';
import { withImap } from './with-imap.ts';

/** Whether mail can be read and sent. What came by now is not answered: the listener begins behind it. */
export async function probe(account: EmailAccount, tools: Tools): Promise<Readonly<Record<string, Json>>> {
  const position = await lookAtMailbox(account, tools);
  await withSmtp(account.credentials.smtp, tools, (smtp) => smtp.verify());
  return { address: account.settings.from, mailbox: account.settings.mailbox, position };
}

function lookAtMailbox(account: EmailAccount, tools: Tools): Promise<Json> {
  return withImap(account.credentials.imap, tools, async (client) => {
    const { uidValidity, uidNext } = await client.mailboxOpen(account.settings.mailbox, { readOnly: true });
    return {
      box: boxOf(account),
      uidValidity: String(uidValidity),
      uid: Math.max(0, uidNext - 1),
      at: tools.now().toISOString(),
    };
  });
}
