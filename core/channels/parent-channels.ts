import type { Kysely, Selectable } from 'kysely';
import type { AnyConnector } from '../contract/connector.ts';
import { AppError } from '../errors.ts';
import type { ChannelTable } from '../storage/tables/channel-tables.ts';
import type { Tables } from '../storage/tables/tables.ts';
import { type AccountKeys, decryptAccount, type OpenedAccount } from './channel-account.ts';
import { mergeFields, toFields } from './channel-settings.ts';

/** Decrypts a parent. Throws `UnreadableChannel`. */
type OpenParent = () => OpenedAccount;

/**
 * Returns the parents of channels by id, without those of deleted workspaces. Each is decrypted at most once, on first
 * use.
 */
export async function findParents(
  database: Kysely<Tables>,
  rows: readonly Pick<Selectable<ChannelTable>, 'parent_id'>[],
  keys: AccountKeys,
): Promise<ReadonlyMap<string, OpenParent>> {
  const ids = [...new Set(rows.flatMap(({ parent_id }) => parent_id ?? []))];
  if (ids.length === 0) return new Map();
  const parents = await database
    .selectFrom('channel')
    .innerJoin('workspace', 'workspace.id', 'channel.workspace_id')
    .selectAll('channel')
    .where('channel.id', 'in', ids)
    .where('workspace.deleted_at', 'is', null)
    .execute();
  return new Map(
    parents.map((row) => {
      let account: OpenedAccount | undefined;
      return [
        row.id,
        () => {
          account ??= decryptAccount(row, keys);
          return account;
        },
      ];
    }),
  );
}

/**
 * Returns a channel completed with its parent's fields. Its events arrive at the parent's webhook, and it is disabled
 * while the parent is.
 */
export function inheritFromParent(own: OpenedAccount, parent: OpenedAccount | null): OpenedAccount {
  if (parent === null) return own;
  return {
    ...own,
    enabled: own.enabled && parent.enabled,
    credentials: mergeFields(parent.credentials, toFields(own.credentials)),
    settings: mergeFields(parent.settings, toFields(own.settings)),
    secret: parent.secret,
    webhookUrl: parent.webhookUrl,
  };
}

/**
 * Finds the parent for a new channel of the same kind, in any workspace. Throws `unknown_parent`, `invalid_parent`,
 * `tenancy_not_supported` and `UnreadableChannel`.
 */
export async function requireParent(
  database: Kysely<Tables>,
  {
    id,
    connector,
    keys,
  }: { readonly id: string; readonly connector: AnyConnector; readonly keys: AccountKeys },
): Promise<OpenedAccount> {
  const parent = (await findParents(database, [{ parent_id: id }], keys)).get(id)?.();
  if (parent === undefined) throw new AppError('unknown_parent');
  if (connector.facets.tenancy === undefined) throw new AppError('tenancy_not_supported');
  if (parent.channel !== connector.manifest.channel || parent.parentId !== null) {
    throw new AppError('invalid_parent');
  }
  return parent;
}

/** Returns the tenant of a child channel. Throws `invalid_settings` and `tenancy_not_supported`. */
export function requireTenant({ facets }: AnyConnector, account: OpenedAccount): string {
  if (facets.tenancy === undefined) throw new AppError('tenancy_not_supported');
  const tenant = facets.tenancy.tenantOf(account);
  if (tenant !== null) return tenant;
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
