import { type Kysely, sql } from 'kysely';
import type { Clock } from '../base/clock.ts';
import type { Tables } from '../storage/tables/tables.ts';
import { ABSENT_AFTER_MS, assignWaiting } from './hand-over.ts';

interface Dependencies {
  readonly database: Kysely<Tables>;
  readonly clock: Clock;
}

/** A person in one workspace. */
interface Visit {
  readonly workspaceId: string;
  readonly personId: string;
}

/** Open dashboards tell at least as often. */
const NOTE_MS = 30_000;
/** The people of this server whose last time is remembered. Beyond that, all are forgotten and noted anew. */
const MOST_REMEMBERED = 10_000;

/** Notes whose dashboard is open, for the assignment of conversations. */
export class AgentPresence {
  readonly #dependencies: Dependencies;
  readonly #notedAt = new Map<string, number>();

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Notes that the dashboard of a person is open, at most every 30 seconds. A person who comes back to it gets conversations
   * that wait, within their capacity. Nothing is noted of people who are not available.
   */
  async note({ workspaceId, personId }: Visit): Promise<void> {
    const { database, clock } = this.#dependencies;
    const now = clock.now();
    const key = `${workspaceId} ${personId}`;
    if (now.getTime() - (this.#notedAt.get(key) ?? 0) < NOTE_MS) return;
    if (this.#notedAt.size >= MOST_REMEMBERED) this.#notedAt.clear();
    this.#notedAt.set(key, now.getTime());
    const absentSince = new Date(now.getTime() - ABSENT_AFTER_MS);
    await database.transaction().execute(async (transaction) => {
      const { rows } = await sql<{ was_away: boolean }>`
        with before as (
          select seen_at from inbox_agent
          where workspace_id = ${workspaceId} and person_id = ${personId} and available
          for update
        )
        update inbox_agent set seen_at = ${now} from before
        where workspace_id = ${workspaceId} and person_id = ${personId}
        returning (before.seen_at > ${absentSince}) is not true as was_away
      `.execute(transaction);
      if (rows[0]?.was_away === true) await assignWaiting({ transaction, now, workspaceId });
    });
  }
}
