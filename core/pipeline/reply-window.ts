import type { ConversationRef } from '../contract/account.ts';
import type { OpenAccount } from './open-account.ts';

/** Until when something may be said; `closesAt` is null where the visitor was never heard of. */
export interface ReplyWindow {
  readonly isOpen: boolean;
  readonly closesAt: Date | null;
}

interface Place {
  readonly to: ConversationRef;
  /** When the visitor was last heard of. */
  readonly heardAt: Date | null;
  readonly now: Date;
}

/** Null where it may be said at any time. Pure. */
export function replyWindow(
  { connector, account }: Pick<OpenAccount, 'connector' | 'account'>,
  { to, heardAt, now }: Place,
): ReplyWindow | null {
  const { window } = connector.facets;
  if (window === undefined || !window.applies(to, account)) return null;
  if (heardAt === null) return { isOpen: false, closesAt: null };
  const closesAt = new Date(heardAt.getTime() + window.lastsMs);
  return { isOpen: now < closesAt, closesAt };
}
