import type { InboundEvent } from '../contract/inbound-event.ts';
import { TakenOver } from '../conversations/taken-over.ts';
import type { AskedTurn } from './asked-turn.ts';
import { laneWork } from './lane-work.ts';
import type { PipelineDependencies } from './pipeline-dependencies.ts';

type Dependencies = Pick<PipelineDependencies, 'database' | 'clock'>;

/**
 * Looks once more before an answer is stored, where people answer in an inbox of the platform's own: what one of them did
 * there while it was made waits behind it in the lane. Throws TakenOver where the conversation is not ours any more.
 */
export async function heedInbox(
  { database, clock }: Dependencies,
  { held, open, numbers }: Pick<AskedTurn, 'held' | 'open' | 'numbers'>,
): Promise<void> {
  const { connector, account } = open;
  if (connector.facets.hasInbox !== true) return;
  const work = await laneWork(database.kysely, held, clock.now());
  const since = (work?.events ?? [])
    .filter(({ number }) => !numbers.includes(number))
    .flatMap(({ native, receivedAt }) => connector.normalise(native, account, receivedAt));
  if (isTaken(since)) throw new TakenOver();
}

/** The last of it counts: who takes a conversation may give it back. Pure. */
function isTaken(events: readonly InboundEvent[]): boolean {
  const last = events.findLast(({ type }) => type === 'person-replied' || type === 'status-changed');
  return last !== undefined && !(last.type === 'status-changed' && last.status === 'open');
}
