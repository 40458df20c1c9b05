import type { Kysely } from 'kysely';
import type { AnyConnector } from '../contract/connector.ts';
import { AppError } from '../errors.ts';
import type { Tables } from '../storage/tables.ts';
import type { Means } from './account-of.ts';
import { findParents } from './find-parents.ts';
import type { OpenedAccount } from './opened-account.ts';

/**
 * The channel that another of the same kind is to be under, of whichever workspace. Throws `unknown_parent`,
 * `invalid_parent` and `tenancy_not_supported`, and an UnreadableChannel.
 */
export async function requireParent(
  database: Kysely<Tables>,
  { id, connector, means }: { readonly id: string; readonly connector: AnyConnector; readonly means: Means },
): Promise<OpenedAccount> {
  const parent = (await findParents(database, [{ parent_id: id }], means)).get(id)?.();
  if (parent === undefined) throw new AppError('unknown_parent');
  if (connector.facets.tenancy === undefined) throw new AppError('tenancy_not_supported');
  if (parent.channel !== connector.manifest.channel || parent.parentId !== null) {
    throw new AppError('invalid_parent');
  }
  return parent;
}
