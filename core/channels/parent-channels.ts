import type { Kysely, Selectable } from 'kysely';
import type { AnyConnector } from '../contract/connector.ts';
import { AppError } from '../errors.ts';
import type { ChannelTable, Tables } from '../storage/tables/tables.ts';
import { type AccountKeys, decryptAccount, type OpenedAccount } from './channel-account.ts';
import { mergeFields, toFields } from './channel-settings.ts';

/** Opens a parent; throws an UnreadableChannel. */
type OpenParent = () => OpenedAccount;

/** The channels that some others are under, by their ids: without those of deleted workspaces. Each is opened once. */
export async function findParents(
  database: Kysely<Tables>,
  rows: readonly Pick<Selectable<ChannelTable>, 'parent_id'>[],
  means: AccountKeys,
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
          account ??= decryptAccount(row, means);
          return account;
        },
      ];
    }),
  );
}

/**
 * A channel with what it has not of its own from the one whose app it shares: it is posted to where that is, and is
 * silent while that is switched off.
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
 * The channel that another of the same kind is to be under, of whichever workspace. Throws `unknown_parent`,
 * `invalid_parent` and `tenancy_not_supported`, and an UnreadableChannel.
 */
export async function requireParent(
  database: Kysely<Tables>,
  {
    id,
    connector,
    means,
  }: { readonly id: string; readonly connector: AnyConnector; readonly means: AccountKeys },
): Promise<OpenedAccount> {
  const parent = (await findParents(database, [{ parent_id: id }], means)).get(id)?.();
  if (parent === undefined) throw new AppError('unknown_parent');
  if (connector.facets.tenancy === undefined) throw new AppError('tenancy_not_supported');
  if (parent.channel !== connector.manifest.channel || parent.parentId !== null) {
    throw new AppError('invalid_parent');
  }
  return parent;
}

/** Whose a channel is that is under another. Throws `invalid_settings`, and `tenancy_not_supported`. */
export function requireTenant({ facets }: AnyConnector, account: OpenedAccount): string {
  if (facets.tenancy === undefined) throw new AppError('tenancy_not_supported');
  const tenant = facets.tenancy.tenantOf(account);
  if (tenant !== null) return tenant;
  throw new AppError('invalid_settings', {
    detail: 'settings do not say whose the channel is: one that is under another is for one team of it.',
  });
}

/** A channel that is under another stays the same tenant's. Throws `invalid_settings`. */
export function requireSameTenant(
  connector: AnyConnector,
  account: OpenedAccount,
  tenant: string | null,
): void {
  if (requireTenant(connector, account) === tenant) return;
  throw new AppError('invalid_settings', {
    detail: 'settings name another team: add a channel for that one instead.',
  });
}
