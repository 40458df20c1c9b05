import { sql } from 'kysely';
import type { PipelineDependencies } from './pipeline-dependencies.ts';
import { wakeLane } from './wake-lane.ts';

/** Woken at once: the others by the sweep. */
const most = 500;

/** Tries again at once what a platform was out of order for, and not when the pause after its last try is over. */
export async function retryAfterOutage(
  dependencies: Pick<PipelineDependencies, 'database' | 'clock' | 'queue' | 'log'>,
  channelId: string,
): Promise<void> {
  const now = dependencies.clock.now();
  const { rows } = await sql<{ number: string; lane: string }>`
    with due as (
      update outbound_part set next_attempt_at = ${now}
      where number in (
        select number from outbound_part
        where channel_id = ${channelId} and status = 'waiting' and failure is not null and next_attempt_at > ${now}
        for update skip locked
      )
      returning number, lane
    )
    select number, lane from due order by number limit ${most}
  `.execute(dependencies.database.kysely);
  const { log } = dependencies;
  log.info({ channel: channelId, lanes: rows.length }, 'a platform takes again what it did not for a while');
  for (const { number, lane } of rows) {
    await wakeLane(dependencies, {
      name: 'deliver',
      id: `${number}-${now.getTime()}`,
      key: { channelId, lane },
    });
  }
}
