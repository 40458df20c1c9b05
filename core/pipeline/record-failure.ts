import { sql } from 'kysely';
import type { HeldLane } from './hold-lane.ts';
import type { PipelineDependencies } from './pipeline-dependencies.ts';

interface Failed {
  readonly held: HeldLane;
  readonly numbers: readonly string[];
  readonly error: unknown;
  /** With this one. */
  readonly attempts: number;
  /** Whether it is given up now. */
  readonly isLast: boolean;
}

const longestReason = 500;
const firstPauseMs = 1_000;

/**
 * What could not be dealt with waits for another try, or for a person; the lane goes on after what was given up. In how
 * many milliseconds it is to be tried again; null where it is not.
 */
export async function recordFailure(
  { database, log }: Pick<PipelineDependencies, 'database' | 'log'>,
  { held, numbers, error, isLast, attempts }: Failed,
): Promise<number | null> {
  const { channelId, lane } = held;
  log[isLast ? 'error' : 'warn'](
    { err: error, channelId, lane, events: numbers },
    'an event was not answered',
  );
  const reason = (error instanceof Error ? error.message : String(error)).slice(0, longestReason);
  const pauseMs = attempts * firstPauseMs;
  await sql`
    update inbound_event
    set attempts = ${attempts}, failure = ${isLast ? reason : null},
        settled_at = clock_timestamp() + ${pauseMs} * interval '1 millisecond'
    where channel_id = ${channelId} and number = any(${[...numbers]}::bigint[])
  `.execute(database.kysely);
  return isLast ? null : pauseMs;
}
