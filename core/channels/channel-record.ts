import type { Selectable } from 'kysely';
import { z } from 'zod';
import type { Json } from '../contract/json.ts';
import type { ChannelTable } from '../storage/tables.ts';

export const channelStatuses = ['connecting', 'connected', 'error'] as const;
export type ChannelStatus = (typeof channelStatuses)[number];

const columnsSchema = z.object({
  settings: z.record(z.string(), z.unknown()),
  profile: z.record(z.string(), z.json()),
  status: z.enum(channelStatuses),
});

/** A channel of a workspace, without its secrets. */
export interface ChannelRecord {
  readonly id: string;
  readonly workspaceId: string;
  readonly channel: string;
  readonly name: string;
  readonly status: ChannelStatus;
  readonly lastError: string | null;
  readonly heardAt: Date | null;
  readonly enabled: boolean;
  readonly settings: Readonly<Record<string, unknown>>;
  readonly profile: Readonly<Record<string, Json>>;
  /** The channel whose app it shares, and whose it is there; null where it has an app of its own. */
  readonly parentId: string | null;
  readonly tenant: string | null;
  /** What pages carry of a widget; null of other kinds. */
  readonly publicToken: string | null;
  readonly createdAt: Date;
}

export function channelOf(row: Selectable<ChannelTable>): ChannelRecord {
  const { settings, profile, status } = columnsSchema.parse(row);
  return {
    id: row.id,
    workspaceId: row.workspace_id,
    channel: row.channel,
    name: row.name,
    status,
    lastError: row.last_error,
    heardAt: row.heard_at,
    enabled: row.enabled,
    settings,
    profile,
    parentId: row.parent_id,
    tenant: row.tenant,
    publicToken: row.public_token,
    createdAt: row.created_at,
  };
}
