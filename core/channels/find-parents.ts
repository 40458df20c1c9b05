import type { Kysely, Selectable } from 'kysely';
import type { ChannelTable, Tables } from '../storage/tables.ts';
import { accountOf, type Means } from './account-of.ts';
import type { OpenedAccount } from './opened-account.ts';

/** Opens a parent; throws an UnreadableChannel. */
type OpenParent = () => OpenedAccount;

/** The channels that some others are under, by their ids: without those of deleted workspaces. Each is opened once. */
export async function findParents(
  database: Kysely<Tables>,
  rows: readonly Pick<Selectable<ChannelTable>, 'parent_id'>[],
  means: Means,
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
          account ??= accountOf(row, means);
          return account;
        },
      ];
    }),
  );
}
