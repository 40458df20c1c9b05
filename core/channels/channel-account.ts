import { randomBytes } from 'node:crypto';
import type { Selectable } from 'kysely';
import { ZodError, z } from 'zod';
import type { Account, Json } from '../contract/account.ts';
import type { AnyConnector, Intake } from '../contract/connector.ts';
import type { Logger } from '../log.ts';
import type { ChannelTable } from '../storage/tables/tables.ts';
import type { SealedPlace, SecretBox } from '../workspaces/secret-box.ts';

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

export function channelFromRow(row: Selectable<ChannelTable>): ChannelRecord {
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

/** A channel as its connector needs it, with what the rest of the product needs to know of it. Holds secrets. */
export interface OpenedAccount extends Account {
  readonly workspaceId: string;
  readonly channel: string;
  readonly enabled: boolean;
  /** The channel whose app it shares; null where it has an app of its own. */
  readonly parentId: string | null;
}

/**
 * How the events of an account come; null where they come to the channel that it is under, and where its settings are of
 * another version and cannot be read by this one.
 */
export function findIntake(connector: AnyConnector, account: OpenedAccount): Intake | null {
  if (account.parentId !== null) return null;
  try {
    const intake = connector.intakeOf(account);
    return intake === 'webhook' && connector.webhook === null ? null : intake;
  } catch (error) {
    if (error instanceof ZodError) return null;
    throw error;
  }
}

/** Where the platform of a channel posts; null where nobody knows at which address the world reaches this server. */
export function buildWebhookUrl(id: string, publicUrl: string | undefined): string | null {
  return publicUrl === undefined ? null : `${publicUrl}/webhooks/${id}`;
}

export interface AccountKeys {
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
export function decryptAccount(
  row: Selectable<ChannelTable>,
  { secretBox, publicUrl }: AccountKeys,
): OpenedAccount {
  const open = (column: SealedColumn) => secretBox.open(row[column], sealedIn(column, row.id));
  try {
    const { settings, profile } = channelFromRow(row);
    return {
      id: row.id,
      workspaceId: row.workspace_id,
      channel: row.channel,
      enabled: row.enabled,
      credentials: credentialsSchema.parse(JSON.parse(open('credentials_encrypted'))),
      settings,
      secret: open('secret_encrypted'),
      webhookUrl: buildWebhookUrl(row.id, publicUrl),
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
export function emptyAccountOf(row: Selectable<ChannelTable>, { publicUrl }: AccountKeys): OpenedAccount {
  return {
    id: row.id,
    workspaceId: row.workspace_id,
    channel: row.channel,
    enabled: row.enabled,
    credentials: {},
    settings: {},
    secret: newChannelSecret(),
    webhookUrl: buildWebhookUrl(row.id, publicUrl),
    profile: {},
    parentId: row.parent_id,
  };
}

export function newChannelSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** An account that is in use, with what sends and reads for it. */
export interface OpenAccount {
  readonly account: OpenedAccount;
  readonly workspaceId: string;
  readonly connector: AnyConnector;
}

/** Null where the account is gone, switched off, or of a channel that this version does not have. */
export type FindAccount = (channelId: string) => Promise<OpenAccount | null>;
