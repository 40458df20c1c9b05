import { authenticatedSender } from './authenticated-sender.ts';
import type { UnthreadedMail } from './mail.ts';
import type { EmailAccount } from './manifest.ts';

/** Whether somebody of the team wrote it: named in the settings, and proven. */
export function isColleague(mail: UnthreadedMail, account: EmailAccount): boolean {
  const sender = authenticatedSender(mail, account);
  if (sender === null) return false;
  return account.settings.colleagues.some((entry) => {
    const known = entry.toLowerCase();
    return known.startsWith('@') ? sender.endsWith(known) : sender === known;
  });
}
