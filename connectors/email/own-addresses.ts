import { bareAddress } from './bare-address.ts';
import type { EmailAccount } from './manifest.ts';

/** All under which the mailbox sends and is written to. */
export function ownAddresses({ settings, credentials }: EmailAccount): ReadonlySet<string> {
  const all = [settings.from, ...settings.aliases, credentials.imap.user, credentials.smtp.user];
  return new Set(all.filter((address) => address.includes('@')).map(bareAddress));
}
