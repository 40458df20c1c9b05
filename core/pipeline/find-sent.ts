import { ConnectorError } from '../contract/connector-error.ts';
import type { Receipt } from '../contract/reply.ts';
import type { LaneKey } from './lane-key.ts';
import type { WaitingPart } from './next-part.ts';
import type { OpenAccount } from './open-account.ts';
import type { PipelineDependencies } from './pipeline-dependencies.ts';

interface Sought {
  readonly held: LaneKey;
  readonly next: WaitingPart;
  readonly open: OpenAccount;
}

/** A platform goes by its own clock. */
const clocksApartMs = 60_000;

/**
 * What a platform has already of a part that is in doubt; null where it has nothing, or cannot say: then it is sent, as
 * twice is better than not at all. Throws the ConnectorError of a platform that is to be asked again.
 */
export async function findSent(
  { database, connectorCalls, log }: Pick<PipelineDependencies, 'database' | 'connectorCalls' | 'log'>,
  { held: { channelId }, next, open: { connector, account } }: Sought,
): Promise<Receipt | null> {
  const { findSent: find } = connector.facets;
  if (!next.isInDoubt || next.draft !== null || find === undefined) return null;
  const { part, to, number } = next;
  const since = new Date(next.since.getTime() - clocksApartMs);
  const found = await connectorCalls
    .call(account, (tools) => find({ part, to, since }, account, tools))
    .catch((error: unknown) => {
      if (!(error instanceof ConnectorError) || error.advice.retry === 'backoff') throw error;
      log.warn({ err: error, channel: channelId, part: number }, 'whether a message was sent is not known');
      return [];
    });
  const others = await sentAs(database.kysely, { channelId, ids: found.map(({ messageId }) => messageId) });
  const receipt = found.find(({ messageId }) => !others.has(messageId)) ?? null;
  if (receipt !== null) log.info({ channel: channelId, part: number }, 'a message had been sent already');
  return receipt;
}

/** Those of the ids under which we know of having sent something. */
async function sentAs(
  database: PipelineDependencies['database']['kysely'],
  { channelId, ids }: { readonly channelId: string; readonly ids: readonly string[] },
): Promise<ReadonlySet<string | null>> {
  if (ids.length === 0) return new Set();
  const rows = await database
    .selectFrom('outbound_part')
    .select('platform_message_id')
    .where('channel_id', '=', channelId)
    .where('platform_message_id', 'in', ids)
    .execute();
  return new Set(rows.map(({ platform_message_id: id }) => id));
}
