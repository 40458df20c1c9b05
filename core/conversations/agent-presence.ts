import { type Kysely, sql } from 'kysely';
import { LRUCache } from 'lru-cache';
import type { Clock } from '../base/clock.ts';
import type { Tables } from '../storage/tables/tables.ts';
import { ABSENT_AFTER_MS, assignWaiting, lockAgents } from './hand-over.ts';

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
/** The people of this server whose last time is remembered. Others are noted more often. */
const MOST_REMEMBERED = 10_000;

/** Notes whose dashboard is open, for the assignment of conversations. */
export class AgentPresence {
  readonly #dependencies: Dependencies;
  readonly #notedAt = new LRUCache<string, number>({ max: MOST_REMEMBERED });

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
    this.#notedAt.set(key, now.getTime());
    const absentSince = new Date(now.getTime() - ABSENT_AFTER_MS);
    await database.transaction().execute(async (transaction) => {
      const { rows } = await sql<{ was_away: boolean }>`
        select (seen_at > ${absentSince}) is not true as was_away from inbox_agent
        where workspace_id = ${workspaceId} and person_id = ${personId} and available
      `.execute(transaction);
      const [known] = rows;
      if (known === undefined) return;
      // Assigning locks all agents: locking one of them first would let two who come back wait for each other.
      if (known.was_away) await lockAgents(transaction, workspaceId);
      await transaction
        .updateTable('inbox_agent')
        .set({ seen_at: now })
        .where('workspace_id', '=', workspaceId)
        .where('person_id', '=', personId)
        .execute();
      if (known.was_away) await assignWaiting({ transaction, now, workspaceId });
    });
  }
}
