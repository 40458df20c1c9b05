import type { ConversationRef, Tools } from '../../core/contract/account.ts';
import { ConnectorError } from '../../core/contract/connector-error.ts';
import { introduce } from './introduce.ts';
import type { SlackAccount } from './manifest.ts';

interface People {
  readonly ids: readonly string[];
  readonly to: ConversationRef;
}

/** What people are called, by their ids; without those of whom Slack does not tell it. */
export async function namesOf(
  { ids, to }: People,
  account: SlackAccount,
  tools: Tools,
): Promise<ReadonlyMap<string, string>> {
  const told = await Promise.all(
    [...new Set(ids)].map(async (id) => [id, await nameOf({ id, to }, account, tools)] as const),
  );
  return new Map(told.flatMap(([id, name]) => (name === null ? [] : [[id, name] as const])));
}

async function nameOf(...asked: Parameters<typeof introduce>): Promise<string | null> {
  try {
    return (await introduce(...asked)).name;
  } catch (error) {
    if (error instanceof ConnectorError) return null;
    throw error;
  }
}
