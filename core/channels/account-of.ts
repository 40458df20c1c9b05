import { randomBytes } from 'node:crypto';
import type { Selectable } from 'kysely';
import { z } from 'zod';
import type { Logger } from '../log.ts';
import type { ChannelTable } from '../storage/tables.ts';
import type { SealedPlace, SecretBox } from '../workspaces/secret-box.ts';
import { channelOf } from './channel-record.ts';
import type { OpenedAccount } from './opened-account.ts';
import { webhookUrlOf } from './webhook-url-of.ts';

export interface Means {
  readonly secretBox: SecretBox;
  readonly publicUrl: string | undefined;
}

type SealedColumn = 'credentials_encrypted' | 'secret_encrypted';

/** Where a sealed value of a channel stands: it opens nowhere else. */
export function sealedIn(column: SealedColumn, id: string): SealedPlace {
  return { table: 'channel', column, id };
}

/** Names a channel in the log that cannot be read, and not each time. */
export type TellUnreadable = (unreadable: UnreadableChannel) => void;

export function tellUnreadable(
  log: Pick<Logger, 'error'>,
  isNews: (what: string) => boolean,
): TellUnreadable {
  return ({ id, workspaceId, cause }) => {
    if (!isNews(`unreadable ${id}`)) return;
    const because = cause instanceof Error ? cause.message : String(cause);
    log.error({ channel: id, workspace: workspaceId, because }, 'a channel cannot be read');
  };
}

const credentialsSchema = z.record(z.string(), z.unknown());

/** The stored row of a channel is damaged, or sealed with another key. Nothing can be done for it, and all for others. */
export class UnreadableChannel extends Error {
  readonly id: string;
  readonly workspaceId: string;
  readonly enabled: boolean;

  constructor(row: Selectable<ChannelTable>, cause: unknown) {
    super(
      'What is stored of this channel cannot be read: it is damaged, or ENCRYPTION_KEY was another one then. Enter all its credentials again.',
      { cause },
    );
    this.name = 'UnreadableChannel';
    this.id = row.id;
    this.workspaceId = row.workspace_id;
    this.enabled = row.enabled;
  }
}

/**
 * Opens what is sealed of a channel. Of one that is under another it is only what that has of its own. Throws an
 * UnreadableChannel.
 */
export function accountOf(row: Selectable<ChannelTable>, { secretBox, publicUrl }: Means): OpenedAccount {
  const open = (column: SealedColumn) => secretBox.open(row[column], sealedIn(column, row.id));
  try {
    const { settings, profile } = channelOf(row);
    return {
      id: row.id,
      workspaceId: row.workspace_id,
      channel: row.channel,
      enabled: row.enabled,
      credentials: credentialsSchema.parse(JSON.parse(open('credentials_encrypted'))),
      settings,
      secret: open('secret_encrypted'),
      webhookUrl: webhookUrlOf(row.id, publicUrl),
      profile,
      parentId: row.parent_id,
    };
  } catch (error) {
    throw new UnreadableChannel(row, error);
  }
}

/** For the rejections of `ChannelAccounts.account`, which has told of it. */
export function noneWhereUnreadable(error: unknown): null {
  if (error instanceof UnreadableChannel) return null;
  throw error;
}

/** What remains of a channel that cannot be read: it has no credentials and settings, and another secret. */
export function emptyAccountOf(row: Selectable<ChannelTable>, { publicUrl }: Means): OpenedAccount {
  return {
    id: row.id,
    workspaceId: row.workspace_id,
    channel: row.channel,
    enabled: row.enabled,
    credentials: {},
    settings: {},
    secret: newChannelSecret(),
    webhookUrl: webhookUrlOf(row.id, publicUrl),
    profile: {},
    parentId: row.parent_id,
  };
}

export function newChannelSecret(): string {
  return randomBytes(32).toString('base64url');
}
