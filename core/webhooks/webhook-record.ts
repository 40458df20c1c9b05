import type { Selectable } from 'kysely';
import type { WebhookTable } from '../storage/tables.ts';

/** A webhook without its secret. */
export interface WebhookRecord {
  readonly id: string;
  readonly workspaceId: string;
  readonly url: string;
  readonly events: readonly string[];
  readonly createdAt: Date;
  /** Since when nothing is sent to it, and why. */
  readonly disabled: { readonly at: Date; readonly reason: string } | null;
}

export function webhookOf(row: Selectable<WebhookTable>): WebhookRecord {
  const { disabled_at, disabled_reason } = row;
  return {
    id: row.id,
    workspaceId: row.workspace_id,
    url: row.url,
    events: row.events,
    createdAt: row.created_at,
    disabled: disabled_at === null ? null : { at: disabled_at, reason: disabled_reason ?? '' },
  };
}
