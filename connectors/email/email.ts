import type { Json, Tools } from '../../core/contract/account.ts';
import type { Connector } from '../../core/contract/connector.ts';
import type { Mail } from '../../core/contract/facets.ts';
import { about } from './about.ts';
import { budgets, deliver } from './deliver.ts';
import { fetchFile } from './files.ts';
import { withImap } from './imap.ts';
import { createListener } from './listener.ts';
import { mailboxFingerprint } from './mailbox.ts';
import { type EmailAccount, manifest } from './manifest.ts';
import { normalise } from './normalise.ts';
import { render } from './render.ts';
import { checkServers } from './setup/check-servers.ts';
import { findServers } from './setup/find-servers.ts';
import { withSmtp } from './smtp.ts';
import { startThread } from './threads.ts';

const listen = createListener({ beatMs: 45_000, graceMs: 20_000, patienceMs: 90_000, pauseMs: 1_000 });

export const email: Connector<EmailAccount['credentials'], EmailAccount['settings']> = {
  about,
  manifest,
  findServers: (wanted, tools) => findServers(wanted, tools),
  open: (account) => ({
    intake: 'listener',
    webhook: null,
    listen: (tools) => listen(account, tools),
    probe: (tools) => probe(account, tools),
    normalise: (native) => normalise(native, account),
    render: (reply, to) => render(reply, to, account),
    deliver: (part, to, tools) => deliver(part, to, account, tools),
    budgets: (to) => budgets(to, account),
    startConversation: (addressee) => startThread(addressee, account),
    sendMail: (mail, tools) => sendMail(mail, account, tools),
    fetchFile: (reference, tools) => fetchFile(reference, account, tools),
    checkServers: (tools) => checkServers(account, tools),
  }),
};

/** Checks that mail can be read and sent. It stores the current position, so that older mail is not answered. */
export async function probe(account: EmailAccount, tools: Tools): Promise<Readonly<Record<string, Json>>> {
  const position = await readPosition(account, tools);
  await withSmtp(account.credentials.smtp, tools, (smtp) => smtp.verify());
  return { address: account.settings.from, mailbox: account.settings.mailbox, position };
}

/** Programs that answer mails by themselves do not answer this one. */
async function sendMail(mail: Mail, { credentials, settings }: EmailAccount, tools: Tools): Promise<void> {
  const from = { name: settings.name ?? '', address: settings.from };
  const headers = { 'Auto-Submitted': 'auto-generated' };
  await withSmtp(credentials.smtp, tools, (smtp) => smtp.sendMail({ ...mail, from, headers }));
}

function readPosition(account: EmailAccount, tools: Tools): Promise<Json> {
  return withImap(account.credentials.imap, tools, async (client) => {
    const { uidValidity, uidNext } = await client.mailboxOpen(account.settings.mailbox, { readOnly: true });
    return {
      box: mailboxFingerprint(account),
      uidValidity: String(uidValidity),
      uid: Math.max(0, uidNext - 1),
      at: tools.now().toISOString(),
    };
  });
}
