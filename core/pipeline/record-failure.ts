import { sql } from 'kysely';
import { isDatabaseFault } from '../storage/is-database-fault.ts';
import type { HeldLane } from './hold-lane.ts';
import type { PipelineDependencies } from './pipeline-dependencies.ts';

interface Failed {
  readonly held: HeldLane;
  readonly numbers: readonly string[];
  readonly error: unknown;
  /** Before this one. */
  readonly attempts: number;
  /** After so many it is given up. */
  readonly mostTries: number;
  /** When the oldest of them came. */
  readonly since: Date;
}

interface Verdict {
  /** With this one where it counts. */
  readonly attempts: number;
  readonly isLast: boolean;
  readonly pauseMs: number;
}

const longestReason = 500;
const firstPauseMs = 1_000;
const longestPauseMs = 30_000;
/** Whatever is said of the database: after so long it may be the event all the same. */
const patienceMs = 24 * 60 * 60 * 1_000;

/**
 * What could not be dealt with waits for another try, or for a person; the lane goes on after what was given up. What the
 * database was to blame for does not count. In how many milliseconds it is to be tried again; null where it is not.
 */
export async function recordFailure(
  { database, clock, log }: Pick<PipelineDependencies, 'database' | 'clock' | 'log'>,
  failed: Failed,
): Promise<number | null> {
  const { held, numbers, error } = failed;
  const { channelId, lane } = held;
  const { attempts, isLast, pauseMs } = judge(failed, clock.now());
  log[isLast ? 'error' : 'warn'](
    { err: error, channelId, lane, events: numbers },
    'an event was not answered',
  );
  const reason = (error instanceof Error ? error.message : String(error)).slice(0, longestReason);
  await sql`
    update inbound_event
    set attempts = ${attempts}, failure = ${isLast ? reason : null},
        settled_at = clock_timestamp() + ${pauseMs} * interval '1 millisecond'
    where channel_id = ${channelId} and number = any(${[...numbers]}::bigint[])
  `.execute(database.kysely);
  return isLast ? null : pauseMs;
}

function judge({ error, attempts, mostTries, since }: Failed, now: Date): Verdict {
  const ageMs = now.getTime() - since.getTime();
  if (isDatabaseFault(error) && ageMs < patienceMs) {
    const pauseMs = Math.round(Math.min(Math.max(ageMs / 4, firstPauseMs), longestPauseMs));
    return { attempts, isLast: false, pauseMs };
  }
  const tried = attempts + 1;
  return { attempts: tried, isLast: tried >= mostTries, pauseMs: tried * firstPauseMs };
}
