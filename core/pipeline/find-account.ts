import { noneWhereUnreadable } from '../channels/account-of.ts';
import type { Runtime } from '../runtime.ts';
import type { FindAccount } from './open-account.ts';

/** Finds accounts that are in use. One that cannot be read is in none: what is to be done for it waits. */
export function findAccountIn({
  channelAccounts,
  connectors,
}: Pick<Runtime, 'channelAccounts' | 'connectors'>): FindAccount {
  return async (channelId) => {
    const account = await channelAccounts.account(channelId).catch(noneWhereUnreadable);
    const connector = account === null ? undefined : connectors.findConnector(account.channel);
    if (!account?.enabled || connector === undefined) return null;
    return { account, workspaceId: account.workspaceId, connector };
  };
}
