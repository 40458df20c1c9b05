import { type Kysely, sql } from 'kysely';
import { whenSettled } from '../base/async.ts';
import type { Clock } from '../base/clock.ts';
import type { Logger } from '../base/log.ts';
import type { Tables } from '../storage/tables/tables.ts';
import type { KeyDay } from '../workspaces/keys/api-keys.ts';
import type { KeyScope } from '../workspaces/keys/key-scopes.ts';

/** The outcome of a request with an API key. */
export type KeyOutcome = Exclude<keyof KeyDay, 'day'>;

interface Dependencies {
  readonly database: Kysely<Tables>;
  readonly clock: Clock;
  readonly log: Logger;
}

interface Count extends Record<KeyOutcome, number> {
  readonly keyId: string;
  readonly day: string;
  lastUsedAt: Date;
  /** When each scope was last used. */
  readonly scopes: Map<KeyScope, Date>;
}

/** Maximum age of counts that are in memory only. A process that is killed loses them. */
const FLUSH_INTERVAL_MS = 10_000;

/**
 * Counts the outcomes of requests by key and day, and notes when a key and its scopes were last used. Requests only add to counts in
 * memory; one statement stores them for all keys.
 */
export class KeyOutcomes {
  readonly #dependencies: Dependencies;
  #counts = new Map<string, Count>();
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> = Promise.resolve();

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies;
  }

  /** `scope` is the one that the request needed and had, if any. */
  add(keyId: string, outcome: KeyOutcome, scope?: KeyScope): void {
    const at = this.#dependencies.clock.now();
    const count = this.#countOf(keyId, at);
    count[outcome] += 1;
    count.lastUsedAt = at;
    if (scope !== undefined) count.scopes.set(scope, at);
    this.#timer ??= setTimeout(() => whenSettled(this.flush(), () => {}), FLUSH_INTERVAL_MS).unref();
  }

  /** Stores what was counted. Never throws: counts that could not be stored are kept for the next time. */
  flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#running = this.#running.then(() => this.#store());
    return this.#running;
  }

  close(): Promise<void> {
    return this.flush();
  }

  #countOf(keyId: string, at: Date): Count {
    const day = at.toISOString().slice(0, 10);
    const name = `${keyId} ${day}`;
    const count = this.#counts.get(name) ?? {
      ...{ keyId, day, lastUsedAt: at, scopes: new Map<KeyScope, Date>() },
      ...{ answered: 0, low: 0, errors: 0, limited: 0 },
    };
    this.#counts.set(name, count);
    return count;
  }

  async #store(): Promise<void> {
    const counts = [...this.#counts.values()];
    if (counts.length === 0) return;
    this.#counts = new Map();
    try {
      await storeCounts(this.#dependencies.database, counts);
    } catch (err) {
      this.#dependencies.log.warn({ err }, 'storing outcomes of keys failed');
      for (const { keyId, day, lastUsedAt, scopes, ...outcomes } of counts) {
        const count = this.#countOf(keyId, new Date(`${day}T00:00:00Z`));
        if (count.lastUsedAt < lastUsedAt) count.lastUsedAt = lastUsedAt;
        for (const [scope, at] of scopes) {
          const later = count.scopes.get(scope);
          if (later === undefined || later < at) count.scopes.set(scope, at);
        }
        for (const outcome of ['answered', 'low', 'errors', 'limited'] as const) {
          count[outcome] += outcomes[outcome];
        }
      }
    }
  }
}

/** The times of the last use are written at most once a minute for each key and scope, whatever the number of processes. */
async function storeCounts(database: Kysely<Tables>, counts: readonly Count[]): Promise<void> {
  const byKey = Map.groupBy(counts, ({ keyId }) => keyId);
  const noted = counts.map(({ keyId, lastUsedAt, scopes: _own, ...count }) => ({
    ...count,
    key_id: keyId,
    last_used_at: lastUsedAt,
    scopes: latestUses(byKey.get(keyId) ?? []),
  }));
  await sql`
    with noted as materialized (
      select noted.* from json_to_recordset(${JSON.stringify(noted)}::json) as noted (
        key_id text, day date, answered integer, low integer, errors integer, limited integer,
        last_used_at timestamptz, scopes jsonb
      )
      join api_key on api_key.id = key_id
      order by key_id, day
    ), used as (
      update api_key set last_used_at = latest.at, scopes_used = api_key.scopes_used || latest.scopes
      from (
        select key_id, max(last_used_at) as at, (array_agg(scopes))[1] as scopes from noted group by key_id
      ) as latest
      where api_key.id = latest.key_id
        and (
          api_key.last_used_at is null or api_key.last_used_at <= latest.at - interval '1 minute'
          or exists (
            select from jsonb_each_text(latest.scopes) as used (scope, at)
            where coalesce((api_key.scopes_used ->> scope)::timestamptz, '-infinity')
                  <= used.at::timestamptz - interval '1 minute'
          )
        )
    )
    insert into key_day as held (key_id, day, answered, low, errors, limited)
    select key_id, day, answered, low, errors, limited from noted
    on conflict (key_id, day) do update set
      answered = held.answered + excluded.answered, low = held.low + excluded.low,
      errors = held.errors + excluded.errors, limited = held.limited + excluded.limited
  `.execute(database);
}

/** Returns when each scope was last used, whatever the day. Pure. */
function latestUses(counts: readonly Count[]): Readonly<Record<string, Date>> {
  const uses = counts.flatMap(({ scopes }) => [...scopes]);
  return Object.fromEntries(uses.toSorted(([, one], [, other]) => one.getTime() - other.getTime()));
}
