import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { Json } from '../../core/contract/account.ts';
import type { EmailAccount } from './manifest.ts';

const schema = z.object({
  /** Which folder of which mailbox is counted. */
  box: z.string(),
  uidValidity: z.string(),
  /** The last mail that was taken. */
  uid: z.int().nonnegative(),
  /** When the folder was looked at last. */
  at: z.iso.datetime(),
});

export type Position = z.infer<typeof schema>;

export interface Counters {
  readonly uidValidity: bigint;
  readonly uidNext: number;
}

/** What of a folder is new. */
export type Beginning =
  | { readonly kind: 'after'; readonly position: Position }
  /** The server counts anew: what came since is looked through, and what was taken before is known by itself. */
  | { readonly kind: 'since'; readonly since: Date; readonly position: Position };

const MARGIN_MS = 2 * 24 * 60 * 60 * 1_000;

export function boxOf({ credentials: { imap }, settings: { mailbox } }: EmailAccount): string {
  return createHash('sha256')
    .update(JSON.stringify([imap.host, imap.user, mailbox]))
    .digest('hex')
    .slice(0, 20);
}

/**
 * Where to go on in a folder. Of one that was never looked at only what comes from now on is new, or what came since the
 * account was added: old mail is not answered. Pure.
 */
export function beginningIn(
  { uidValidity, uidNext }: Counters,
  account: EmailAccount,
  { cursor, now }: { readonly cursor: Json | null; readonly now: Date },
): Beginning {
  const kept = [cursor, account.profile.position].flatMap((value) => {
    const { data } = schema.safeParse(value);
    return data?.box === boxOf(account) ? [data] : [];
  })[0];
  const at = now.toISOString();
  const fresh = { box: boxOf(account), uidValidity: String(uidValidity), uid: Math.max(0, uidNext - 1), at };
  if (kept === undefined) return { kind: 'after', position: fresh };
  if (kept.uidValidity === fresh.uidValidity) return { kind: 'after', position: kept };
  const since = new Date(Date.parse(kept.at) - MARGIN_MS);
  return { kind: 'since', since, position: fresh };
}
