import { randomBytes } from 'node:crypto';
import type { Selectable } from 'kysely';
import { ZodError, z } from 'zod';
import type { Logger } from '../../base/log.ts';
import type { Account, Json } from '../../contract/account.ts';
import type { AnyConnector, Intake } from '../../contract/connector.ts';
import type { SealedPlace, SecretBox } from '../../secrets/secret-box.ts';
import type { ChannelTable } from '../../storage/tables/channel-tables.ts';

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
  /** The parent channel whose app this channel shares; null if it has an app of its own. */
  readonly parentId: string | null;
  readonly tenant: string | null;
  /** The token that pages with the widget contain; null for other kinds. */
  readonly publicToken: string | null;
  /** The owners whose channels may share the app of this one; `*` stands for every owner. */
  readonly shareableWith: readonly string[];
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
    shareableWith: row.shareable_with,
    createdAt: row.created_at,
  };
}

/** A channel as its connector receives it, with the fields that the engine needs. Contains secrets. */
export interface OpenedAccount extends Account {
  readonly workspaceId: string;
  readonly channel: string;
  readonly enabled: boolean;
  /** The parent channel whose app this channel shares; null if it has an app of its own. */
  readonly parentId: string | null;
}

/**
 * Returns how the events of an account arrive. Null if they arrive at the parent channel, or if the settings come from
 * another version and this one cannot parse them.
 */
export function findIntake(connector: AnyConnector, account: OpenedAccount): Intake | null {
  if (account.parentId !== null) return null;
  try {
    const { intake, webhook } = connector.open(account);
    return intake === 'webhook' && webhook === null ? null : intake;
  } catch (error) {
    if (error instanceof ZodError) return null;
    throw error;
  }
}

/** Returns the URL where the platform of a channel posts; null if the installation's public address is not known. */
export function buildWebhookUrl(id: string, publicUrl: string | undefined): string | null {
  return publicUrl === undefined ? null : `${publicUrl}/webhooks/${id}`;
}

export interface AccountKeys {
  readonly secretBox: SecretBox;
  readonly publicUrl: string | undefined;
}

type SealedColumn = 'credentials_encrypted' | 'secret_encrypted';

/** Returns the context that a sealed value is bound to. It cannot be decrypted in any other place. */
export function sealedIn(column: SealedColumn, id: string): SealedPlace {
  return { table: 'channel', column, id };
}

/** Logs an unreadable channel, with repetitions suppressed. */
export type TellUnreadable = (unreadable: UnreadableChannel) => void;

export function tellUnreadable(log: Pick<Logger, 'error'>, isNews: (key: string) => boolean): TellUnreadable {
  return ({ id, workspaceId, cause }) => {
    if (!isNews(`unreadable ${id}`)) return;
    const because = cause instanceof Error ? cause.message : String(cause);
    log.error({ channel: id, workspace: workspaceId, because }, 'channel credentials unreadable');
  };
}

const credentialsSchema = z.record(z.string(), z.unknown());

/** The stored row of a channel is damaged or was encrypted with another key. Other channels are not affected. */
export class UnreadableChannel extends Error {
  readonly id: string;
  readonly workspaceId: string;
  readonly enabled: boolean;

  constructor(row: Selectable<ChannelTable>, cause: unknown) {
    super(
      'The stored credentials of this channel cannot be read: they are damaged, or ENCRYPTION_KEY has changed since. Enter all credentials of the channel again.',
      { cause },
    );
    this.name = 'UnreadableChannel';
    this.id = row.id;
    this.workspaceId = row.workspace_id;
    this.enabled = row.enabled;
  }
}

/**
 * Decrypts a channel. For a child channel, the result contains only its own fields, without those of the parent. Throws
 * `UnreadableChannel`.
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

/** Maps a rejection of `ChannelAccounts.account` for an unreadable channel, which is logged already, to null. */
export function noneWhereUnreadable(error: unknown): null {
  if (error instanceof UnreadableChannel) return null;
  throw error;
}

/** Returns a replacement for an unreadable channel, without credentials and settings and with a new secret. */
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

/** An account in use, with its connector. */
export interface OpenAccount {
  readonly account: OpenedAccount;
  readonly workspaceId: string;
  readonly connector: AnyConnector;
}

/** Resolves with null if the account was deleted, is disabled, or is of a channel that this version does not have. */
export type FindAccount = (channelId: string) => Promise<OpenAccount | null>;
