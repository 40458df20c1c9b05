import { createHash } from 'node:crypto';
import { type Kysely, type Selectable, sql } from 'kysely';
import { LRUCache } from 'lru-cache';
import { type Clock, nextMidnight, secondsUntil } from '../clock.ts';
import { AppError } from '../errors.ts';
import type { Logger } from '../log.ts';
import { MicroBatcher } from '../storage/micro-batcher.ts';
import { prepareStatement } from '../storage/prepared-statements.ts';
import type { Tables } from '../storage/tables/tables.ts';
import type { ApiKey } from '../workspaces/api-keys.ts';
import { type PlanName, planNames, plans } from '../workspaces/workspace-settings.ts';
import { type Workspace, type Workspaces, workspaceFromRow } from '../workspaces/workspaces.ts';
import { type InFlightReport, InFlightRequests } from './in-flight.ts';

/** How much a key may still do, as the `X-RateLimit-…` headers tell it. */
export interface KeyLimits {
  readonly minute: number;
  readonly minuteRemaining: number;
  readonly day: number;
  readonly dayRemaining: number;
  /** When the day's count starts again: the next midnight UTC. */
  readonly dayResets: Date;
}

/** A key that was accepted, with the workspace that it opens. */
interface KeyHolder extends Omit<ApiKey, 'previousValidUntil'> {
  readonly workspace: Workspace;
}

/** A request that carries a good key, let in or not. */
export interface Admitted {
  readonly holder: KeyHolder;
  readonly limits: KeyLimits;
  /** Why it is not let in: `feature_not_in_plan` or one of the `rate_limit_…`; null when it is. */
  readonly refusal: AppError | null;
  /** Whether it was counted as a message; null where it was not to be. */
  readonly messageCounted: boolean | null;
  readonly at: Date;
  /** To be called once, when the request has ended. */
  readonly end: () => void;
}

interface Dependencies {
  readonly database: Kysely<Tables>;
  readonly clock: Clock;
  readonly log: Logger;
  readonly processId: string;
}

/** One of the key's requests that ask at the same moment. */
interface AdmissionEntrance {
  readonly row: AdmissionRow;
  readonly report: InFlightReport;
  readonly at: Date;
  /** Its place among them; the first are let in. */
  readonly place: number;
}

interface AdmissionRequest {
  readonly keyId: string;
  readonly keyHash: string;
  readonly countsMessage: boolean;
}

const maxInFlight = 50;

/** Messages a month by plan, null for no end; a plan without API access is not in it. */
const quotas = JSON.stringify(
  Object.fromEntries(
    planNames
      .filter((plan) => plans[plan].apiAccess)
      .map((plan) => [
        plan,
        Number.isFinite(plans[plan].messagesPerMonth) ? plans[plan].messagesPerMonth : null,
      ]),
  ),
);

const admitRequests = prepareStatement<AdmissionRow>(`
  select key_id, key_name, key_ending, rate_limit_minute, rate_limit_day, expires_at, revoked_at, key_created_at,
         workspace, let_in, refused, minute_count, minute_started_at, day_count, in_flight, messages_counted
  from admit_requests($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
`);

/** The door of the public API: who asks, and whether its key has not asked too often; exact over all processes. */
export class Admission {
  readonly #dependencies: Dependencies;
  readonly #inFlight: InFlightRequests;
  readonly #keyIds = new LRUCache<string, string>({ max: 10_000 });
  /** All requests of a key count on the same few rows: one statement for several waits for them once. */
  readonly #entrances: MicroBatcher<AdmissionRequest, null, AdmissionEntrance>;

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies;
    this.#inFlight = new InFlightRequests({
      report: (keyId, report) => this.#report(keyId, report),
      failed: (err) => dependencies.log.error({ err }, 'ended requests could not be taken off their key'),
    });
    this.#entrances = new MicroBatcher({
      nameOf: ({ keyHash, countsMessage }) => `${keyHash} ${countsMessage}`,
      run: async (door, { length }) => {
        const counted = await this.#count(door, length);
        return (_, place) => ({ ...counted, place });
      },
    });
  }

  /** `countsMessage`: whether the request is one that the monthly quota counts. Throws `invalid_key` and `expired_key`. */
  async admit(key: string, countsMessage: boolean): Promise<Admitted> {
    const keyHash = createHash('sha256').update(key).digest('hex');
    const keyId = await this.#keyIdOf(keyHash);
    this.#inFlight.enter(keyId);
    const end = (leaving: { readonly wasLetIn: boolean; readonly isAwaited: boolean }) =>
      this.#inFlight.leave(keyId, leaving);
    try {
      const entrance = await this.#entrances.add({ keyId, keyHash, countsMessage }, null);
      const { row, report, at, place } = entrance;
      // Elsewhere requests of the key are in flight as well.
      const isAwaited = row.in_flight > report.requests;
      const holder = keyHolderFromRow(row);
      const refusal = findRefusal(entrance, holder.workspace.plan);
      if (refusal !== null) end({ wasLetIn: false, isAwaited: false });
      return {
        holder,
        limits: toKeyLimits(entrance),
        refusal,
        messageCounted: row.messages_counted === null ? null : place < row.messages_counted,
        at,
        end: () => {
          if (refusal === null) end({ wasLetIn: true, isAwaited });
        },
      };
    } catch (error) {
      end({ wasLetIn: false, isAwaited: false });
      throw error;
    }
  }

  /**
   * A key and its former value are one key, whose requests in flight are counted together. Whether the value still works
   * is asked at each request. Throws `invalid_key`.
   */
  async #keyIdOf(keyHash: string): Promise<string> {
    const known = this.#keyIds.get(keyHash);
    if (known !== undefined) return known;
    const row = await this.#dependencies.database
      .selectFrom('api_key')
      .select('id')
      .where((where) => where.or([where('key_hash', '=', keyHash), where('previous_key_hash', '=', keyHash)]))
      .executeTakeFirst();
    if (row === undefined) throw new AppError('invalid_key');
    this.#keyIds.set(keyHash, row.id);
    return row.id;
  }

  /** Waits for what is being told of requests that have ended. */
  close(): Promise<void> {
    return this.#inFlight.close();
  }

  async #count(
    { keyId, keyHash, countsMessage }: AdmissionRequest,
    requests: number,
  ): Promise<Omit<AdmissionEntrance, 'place'>> {
    const { database, clock, processId } = this.#dependencies;
    const at = clock.now();
    const report = this.#inFlight.report(keyId);
    const asked = [
      ...[keyHash, at, processId, requests, report.requests, report.ended, report.number],
      ...[maxInFlight, quotas, countsMessage],
    ];
    const [row] = await admitRequests(database, asked);
    if (row === undefined || row.revoked_at !== null) throw new AppError('invalid_key');
    if (row.expires_at !== null && row.expires_at <= at) throw new AppError('expired_key');
    return { row, report, at };
  }

  async #report(keyId: string, { requests, ended, number }: InFlightReport): Promise<void> {
    await sql`
      update key_in_flight as held
      set (requests, ended, report) = (
        select now.requests, now.ended, now.report
        from in_flight_now(held, ${requests}::int, ${ended}::bigint, ${number}::bigint) as now
      )
      where held.process_id = ${this.#dependencies.processId}
        and held.key_id = ${keyId}
    `.execute(this.#dependencies.database);
  }
}

function keyHolderFromRow(row: AdmissionRow): KeyHolder {
  const workspace = workspaceFromRow(row.workspace);
  return {
    id: row.key_id,
    workspaceId: workspace.id,
    workspace,
    name: row.key_name,
    ending: row.key_ending,
    rateLimitMinute: row.rate_limit_minute,
    rateLimitDay: row.rate_limit_day,
    expiresAt: row.expires_at,
    createdAt: row.key_created_at,
  };
}

function toKeyLimits({ row, at, place }: AdmissionEntrance): KeyLimits {
  const later = Math.max(0, row.let_in - 1 - place);
  return {
    minute: row.rate_limit_minute,
    minuteRemaining: Math.max(0, row.rate_limit_minute - row.minute_count + later),
    day: row.rate_limit_day,
    dayRemaining: Math.max(0, row.rate_limit_day - row.day_count + later),
    dayResets: nextMidnight(at),
  };
}

/** What `admit_requests` returns. */
interface AdmissionRow {
  readonly key_id: string;
  readonly key_name: string;
  readonly key_ending: string;
  readonly rate_limit_minute: number;
  readonly rate_limit_day: number;
  readonly expires_at: Date | null;
  readonly revoked_at: Date | null;
  readonly key_created_at: Date;
  /** As JSON: its times are strings. */
  readonly workspace: Omit<Selectable<Tables['workspace']>, 'created_at' | 'deleted_at'> & {
    readonly created_at: string;
  };
  /** How many of those that asked. */
  readonly let_in: number;
  /** Why the others are not; null where all are. */
  readonly refused: 'minute' | 'day' | 'concurrent' | null;
  /** With all that were let in, as all that follows. */
  readonly minute_count: number;
  readonly minute_started_at: Date;
  readonly day_count: number;
  readonly in_flight: number;
  /** Of how many that were let in a message was counted; null where none was to be. */
  readonly messages_counted: number | null;
}

const minuteMs = 60_000;

interface RefusalOfEntrance {
  readonly row: AdmissionRow;
  readonly at: Date;
  /** Among those that asked with it. */
  readonly place: number;
}

/** Why a request with a good key is not let in, and when to come back; null when it is. */
function findRefusal({ row, at, place }: RefusalOfEntrance, plan: PlanName): AppError | null {
  if (!plans[plan].apiAccess) return new AppError('feature_not_in_plan');
  if (place < row.let_in) return null;
  switch (row.refused) {
    case 'minute': {
      const over = new Date(row.minute_started_at.getTime() + minuteMs);
      return new AppError('rate_limit_minute', { retryAfterSeconds: secondsUntil(over, at) });
    }
    case 'day':
      return new AppError('rate_limit_day', { retryAfterSeconds: secondsUntil(nextMidnight(at), at) });
    case 'concurrent':
      return new AppError('rate_limit_concurrent', { retryAfterSeconds: 1 });
    case null:
      return null;
  }
}

/**
 * The workspace a request is about: the one it names, or the key's own. Throws `workspace_not_found`,
 * `workspace_access_denied` for one of another owner, and `feature_not_in_plan` for one without API access.
 */
export async function findWorkspaceForKey(
  workspaces: Workspaces,
  holder: KeyHolder,
  workspaceId: string | undefined,
): Promise<Workspace> {
  if (workspaceId === undefined || workspaceId === holder.workspace.id) return holder.workspace;
  const workspace = await workspaces.get(workspaceId);
  if (workspace.owner !== holder.workspace.owner) throw new AppError('workspace_access_denied');
  if (!plans[workspace.plan].apiAccess) throw new AppError('feature_not_in_plan');
  return workspace;
}
