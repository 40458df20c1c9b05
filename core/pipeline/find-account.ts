import type { Runtime } from '../runtime.ts';
import type { FindAccount } from './open-account.ts';

/** Finds accounts that are in use. */
export function findAccountIn({
  channelAccounts,
  connectors,
}: Pick<Runtime, 'channelAccounts' | 'connectors'>): FindAccount {
  return async (channelId) => {
    const account = await channelAccounts.account(channelId);
    const connector = account === null ? undefined : connectors.findConnector(account.channel);
    if (!account?.enabled || connector === undefined) return null;
    return { account, workspaceId: account.workspaceId, connector };
  };
}
