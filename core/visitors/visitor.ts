import type { Selectable } from 'kysely';
import type { Customer } from '../conversations/turn.ts';
import type { VisitorTable } from '../storage/visitor-tables.ts';
import type { VerifiedVisitor } from '../workspaces/identity.ts';

/** Who writes to a widget or a page of ours. */
export interface Visitor {
  /** Also the session of his conversations. */
  readonly id: string;
  readonly workspaceId: string;
  readonly channelId: string;
  readonly readAt: Date;
  /** What is known of him. */
  readonly customer: Customer;
  /** Null for an unknown one. */
  readonly verified: VerifiedVisitor | null;
}

export function visitorOf(row: Selectable<VisitorTable>): Visitor {
  const customer = {
    name: row.name,
    email: row.email,
    emailVerified: row.email !== null && row.email_verified,
    phone: null,
  };
  return {
    id: row.id,
    workspaceId: row.workspace_id,
    channelId: row.channel_id,
    readAt: row.read_at,
    customer,
    verified: row.user_id === null ? null : { userId: row.user_id, audience: row.audience, customer },
  };
}
