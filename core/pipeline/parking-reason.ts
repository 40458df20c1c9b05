import type { AskedTurn } from './asked-turn.ts';
import { overReplyLimit } from './over-reply-limit.ts';
import type { PipelineDependencies } from './pipeline-dependencies.ts';

/**
 * Why what was said is kept and not answered; null where it is dealt with as always. Who asks for a person, or has one,
 * is within every limit.
 */
export async function parkingReason(
  { database, clock }: Pick<PipelineDependencies, 'database' | 'clock'>,
  { held, open, turn, conversation }: AskedTurn,
): Promise<string | null> {
  const { replyLimits: limits } = open.connector.manifest;
  if (turn.parked !== null) return turn.parked;
  if (limits === undefined || conversation?.withPerson || turn.command === 'human') return null;
  return overReplyLimit(database.kysely, { key: held, limits, sender: turn.sender.id, now: clock.now() });
}
