import type { Selectable } from 'kysely';
import type { ChannelTable } from '../storage/tables.ts';
import type { UnreadableChannel } from './account-of.ts';
import type { ChannelRecord } from './channel-record.ts';
import type { ChannelState } from './channel-state.ts';

/** A channel as it is now, with where its platform posts: null where it is not posted to. */
export interface ChannelView extends Omit<ChannelRecord, 'status'>, ChannelState {
  readonly webhookUrl: string | null;
}

/** What is shown of a channel whose row cannot be read. */
export function unreadableView(row: Selectable<ChannelTable>, { message }: UnreadableChannel): ChannelView {
  return {
    id: row.id,
    workspaceId: row.workspace_id,
    channel: row.channel,
    name: row.name,
    status: 'error',
    isStale: false,
    lastError: message,
    heardAt: row.heard_at,
    enabled: row.enabled,
    settings: {},
    profile: {},
    publicToken: row.public_token,
    parentId: row.parent_id,
    tenant: row.tenant,
    createdAt: row.created_at,
    webhookUrl: null,
  };
}
