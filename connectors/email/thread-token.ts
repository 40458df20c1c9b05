import { sameSecret } from '../shared/same-secret.ts';
import { bareAddress } from './bare-address.ts';
import type { EmailAccount } from './manifest.ts';
import { sign } from './sign.ts';

/** Longer ones are refused by servers. */
const MAX_LOCAL = 64;
const form = /^([0-9a-f]{20})([0-9a-f]{20})$/;

/** The address that answers to a thread come to; null where the mailbox has no room for it. */
export function threadAddress(lane: string, { settings, secret }: EmailAccount): string | null {
  if (!settings.plus_addressing) return null;
  const at = settings.from.lastIndexOf('@');
  const local = `${settings.from.slice(0, at)}+${lane}${sign(secret, 'thread', lane)}`;
  return local.length > MAX_LOCAL ? null : `${local}${settings.from.slice(at)}`;
}

/** The thread that one of the recipients names, with the proof that the address is from us. */
export function threadNamedBy(recipients: readonly string[], account: EmailAccount): string | null {
  for (const recipient of recipients) {
    const tag = /\+([^+@]+)@/.exec(recipient.toLowerCase())?.[1];
    const [, lane, proof] = form.exec(tag ?? '') ?? [];
    const isOurs = bareAddress(recipient) === bareAddress(account.settings.from);
    if (lane !== undefined && isOurs && sameSecret(proof, sign(account.secret, 'thread', lane))) return lane;
  }
  return null;
}
