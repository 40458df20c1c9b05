import { type Kysely, type Selectable, sql } from 'kysely';
import { AppError } from '../../base/errors.ts';
import { type Fields, mergeFields, toFields } from '../../base/fields.ts';
import type { AnyConnector } from '../../contract/connector.ts';
import type { WorkspaceAuthority } from '../../members/authority.ts';
import type { ChannelTable } from '../../storage/tables/channel-tables.ts';
import type { Tables } from '../../storage/tables/tables.ts';
import {
  type AccountKeys,
  decryptAccount,
  type OpenedAccount,
  UnreadableChannel,
} from './channel-account.ts';

/** A parent as one child sees it. */
export interface Parent {
  /** Decrypts the parent at its first use. Throws `UnreadableChannel`. */
  readonly open: () => OpenedAccount;
  /**
   * `own`: the same owner. `lent`: another owner lends its app, without the credentials of its tenants. `refused`: another owner
   * that does not lend it, or no longer.
   */
  readonly sharing: 'own' | 'lent' | 'refused';
}

type ChildRow = Pick<Selectable<ChannelTable>, 'parent_id' | 'workspace_id'>;
type FindParent = (child: ChildRow) => Parent | null;

/** An entry of `shareable_with` that stands for every owner. */
export const EVERY_OWNER = '*';

/**
 * Loads the parents of channels. The returned function gives that of one child: null if it has none, or if its workspace is
 * deleted.
 */
export async function findParents(
  database: Kysely<Tables>,
  rows: readonly ChildRow[],
  keys: AccountKeys,
): Promise<FindParent> {
  const children = rows.filter(({ parent_id }) => parent_id !== null);
  if (children.length === 0) return () => null;
  const parents = await database
    .selectFrom('channel')
    .innerJoin('workspace', 'workspace.id', 'channel.workspace_id')
    .selectAll('channel')
    .select('owner_id')
    .where('channel.id', 'in', [...new Set(children.flatMap(({ parent_id }) => parent_id ?? []))])
    .where('workspace.deleted_at', 'is', null)
    .execute();
  const workspaces = await database
    .selectFrom('workspace')
    .select(['id', 'owner_id'])
    .where('id', 'in', [...new Set(children.map(({ workspace_id }) => workspace_id))])
    .execute();
  const owners = new Map(workspaces.map(({ id, owner_id }) => [id, owner_id]));
  const byId = new Map(parents.map((row) => [row.id, { row, open: openOnce(row, keys) }]));
  return ({ parent_id, workspace_id }) => {
    const parent = byId.get(parent_id ?? '');
    if (parent === undefined) return null;
    return { open: parent.open, sharing: findSharing(parent.row, owners.get(workspace_id)) };
  };
}

function openOnce(row: Selectable<ChannelTable>, keys: AccountKeys): () => OpenedAccount {
  let account: OpenedAccount | undefined;
  return () => {
    account ??= decryptAccount(row, keys);
    return account;
  };
}

function findSharing(
  parent: { readonly owner_id: string; readonly shareable_with: readonly string[] },
  childOwner: string | undefined,
): Parent['sharing'] {
  if (parent.owner_id === childOwner) return 'own';
  const isLent = parent.shareable_with.some((owner) => owner === childOwner || owner === EVERY_OWNER);
  return isLent ? 'lent' : 'refused';
}

/**
 * Returns a channel completed with its parent's fields. Its events arrive at the parent's webhook, and it is disabled while the
 * parent is. From another owner's parent it inherits only the credentials of the app itself, and it calls the parent's platform,
 * so that nothing of the other owner goes to an address that this one chose. Null if the parent is not lent to its owner.
 */
export function inheritFromParent(
  own: OpenedAccount,
  parent: Parent | null,
  connector: AnyConnector | undefined,
): OpenedAccount | null {
  if (parent === null) return own;
  if (parent.sharing === 'refused') return null;
  const above = parent.open();
  const inherited = inheritableFields(parent, connector);
  return {
    ...own,
    enabled: own.enabled && above.enabled,
    credentials: mergeFields(inherited.credentials, toFields(own.credentials)),
    settings: {
      ...mergeFields(inherited.settings, toFields(own.settings)),
      ...(parent.sharing === 'lent' && { api_base_url: inherited.settings.api_base_url }),
    },
    secret: above.secret,
    webhookUrl: above.webhookUrl,
  };
}

/** Returns what a child may take from its parent. */
export function inheritableFields(
  parent: Parent | null,
  connector: AnyConnector | undefined,
): { readonly credentials: Fields; readonly settings: Fields } {
  if (parent === null || parent.sharing === 'refused') return { credentials: {}, settings: {} };
  const { credentials, settings } = parent.open();
  const shared = connector?.manifest.appCredentials ?? [];
  const entries = Object.entries(toFields(credentials));
  return {
    credentials: Object.fromEntries(
      parent.sharing === 'own' ? entries : entries.filter(([name]) => shared.includes(name)),
    ),
    settings: toFields(settings),
  };
}

interface WantedParent {
  readonly id: string;
  readonly connector: AnyConnector;
  readonly authority: WorkspaceAuthority;
}

interface Stores extends AccountKeys {
  readonly database: Kysely<Tables>;
}

/**
 * Finds the parent for a new channel of the same kind: in a workspace of the same owner where the caller may change channels, or
 * one that another owner lends. The operator's token may name any, and so lends it. A parent that the caller may not use does not
 * exist for them. Throws `unknown_parent`, `invalid_parent`, and `tenancy_not_supported`.
 */
export async function requireParent(
  stores: Stores,
  { id, connector, authority }: WantedParent,
): Promise<Parent> {
  const parent = await findUsableParent(stores, { id, authority }).catch(rethrowParentUnreadable);
  if (parent === null) throw new AppError('unknown_parent');
  if (connector.manifest.appCredentials === undefined) throw new AppError('tenancy_not_supported');
  const { channel, parentId } = openParent(parent);
  if (channel !== connector.manifest.channel || parentId !== null) throw new AppError('invalid_parent');
  return parent;
}

/** Returns null if the caller may not put a channel of theirs below this one. */
export async function findUsableParent(
  stores: Stores,
  { id, authority }: Omit<WantedParent, 'connector'>,
): Promise<Parent | null> {
  const { workspaceId, ownerId } = authority.scope;
  const child = { parent_id: id, workspace_id: workspaceId };
  const parent = (await findParents(stores.database, [child], stores))(child);
  if (parent === null || parent.sharing === 'lent') return parent;
  if (parent.sharing === 'refused') return authority.isOperatorToken ? { ...parent, sharing: 'lent' } : null;
  const owned = { id: parent.open().workspaceId, owner: ownerId };
  return authority.may('channels:write', owned) ? parent : null;
}

/** Returns null if the channel has no parent, or the parent's workspace is deleted. Throws `invalid_parent`. */
export async function findParent(stores: Stores, child: ChildRow): Promise<Parent | null> {
  const parent = (await findParents(stores.database, [child], stores))(child);
  if (parent !== null) openParent(parent);
  return parent;
}

function openParent(parent: Parent): OpenedAccount {
  try {
    return parent.open();
  } catch (error) {
    return rethrowParentUnreadable(error);
  }
}

function rethrowParentUnreadable(error: unknown): never {
  if (!(error instanceof UnreadableChannel)) throw error;
  const detail = `The parent channel ${error.id} cannot be read. Enter its credentials again first.`;
  throw new AppError('invalid_parent', { detail, cause: error });
}

/** Returns the owners that a channel is lent to. Throws `tenancy_not_supported`, and `invalid_parent` for a child. */
export function requireShareable(
  { manifest }: AnyConnector,
  { parent_id }: Pick<ChildRow, 'parent_id'>,
  owners: readonly string[],
): string[] {
  if (owners.length > 0 && manifest.appCredentials === undefined) throw new AppError('tenancy_not_supported');
  if (owners.length > 0 && parent_id !== null) throw new AppError('invalid_parent');
  return [...new Set(owners)];
}

/** Below another owner's app, a team is claimed by its installation, and not by a setting. Throws `invalid_parent`. */
export function requireInstallation({ isOperatorToken }: WorkspaceAuthority, own: Fields): void {
  requireNoAddress(own);
  if (isOperatorToken) return;
  throw new AppError('invalid_parent', {
    detail:
      'The app of this channel belongs to another owner. Its channels are made by an installation link, which proves the team.',
  });
}

/** The app of another owner calls that owner's platform. Throws `invalid_settings`. */
export function requireNoAddress(own: Fields): void {
  if (toFields(own).api_base_url == null) return;
  throw new AppError('invalid_settings', {
    detail: 'settings.api_base_url is that of the parent, which belongs to another owner. Leave it out.',
  });
}

/**
 * Lends a channel to the owner of a workspace. The operator's token lends a channel this way, by naming it as a
 * parent.
 */
export async function lendParent(
  database: Kysely<Tables>,
  { parentId, ownerId }: { readonly parentId: string; readonly ownerId: string },
): Promise<void> {
  await sql`
    update channel set shareable_with = array_append(shareable_with, ${ownerId})
    from workspace
    where channel.id = ${parentId} and workspace.id = channel.workspace_id and owner_id <> ${ownerId}
      and not shareable_with && array[${ownerId}, ${EVERY_OWNER}]
  `.execute(database);
}

/** Returns the tenant of a child channel. Throws `invalid_settings` and `tenancy_not_supported`. */
export function requireTenant(connector: AnyConnector, account: OpenedAccount): string {
  const { tenancy } = connector.open(account);
  if (tenancy === undefined) throw new AppError('tenancy_not_supported');
  if (tenancy.tenant !== null) return tenancy.tenant;
  throw new AppError('invalid_settings', {
    detail: 'settings do not name the team that this channel is for. A channel with a parent needs one.',
  });
}

/** Requires that a child channel keeps its tenant. Throws `invalid_settings`. */
export function requireSameTenant(
  connector: AnyConnector,
  account: OpenedAccount,
  tenant: string | null,
): void {
  if (requireTenant(connector, account) === tenant) return;
  throw new AppError('invalid_settings', {
    detail: 'settings name a different team. Add a new channel for that team instead.',
  });
}
