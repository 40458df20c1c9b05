import { createHash } from 'node:crypto';
import { type Kysely, type Selectable, sql } from 'kysely';
import { LRUCache } from 'lru-cache';
import { type Clock, nextMidnight, secondsUntil } from '../base/clock.ts';
import { AppError } from '../base/errors.ts';
import type { Logger } from '../base/log.ts';
import { MicroBatcher } from '../storage/micro-batcher.ts';
import { prepareStatement } from '../storage/prepared-statements.ts';
import type { Tables } from '../storage/tables/tables.ts';
import type { ApiKey } from '../workspaces/keys/api-keys.ts';
import { toKeyMode, toKeyReach, toKeyScopes } from '../workspaces/keys/key-scopes.ts';
import { type PlanName, planNames, plans } from '../workspaces/workspace-settings.ts';
import { type Workspace, type Workspaces, workspaceFromRow } from '../workspaces/workspaces.ts';
import { type InFlightReport, InFlightRequests } from './in-flight.ts';

/** The remaining requests of a key, as reported in the `X-RateLimit-…` headers. */
export interface KeyLimits {
  readonly minute: number;
  readonly minuteRemaining: number;
  readonly day: number;
  readonly dayRemaining: number;
  /** Time at which the daily count resets: the next midnight UTC. */
  readonly dayResets: Date;
}

/** A valid key and its workspace. */
export interface KeyHolder
  extends Omit<ApiKey, 'previousValidUntil' | 'createdBy' | 'lastUsedAt' | 'scopesUsed' | 'revokedAt'> {
  readonly workspace: Workspace;
}

/** A request with a valid key, admitted or refused. */
export interface Admitted {
  readonly holder: KeyHolder;
  readonly limits: KeyLimits;
  /** Reason for the refusal: `feature_not_in_plan` or one of the `rate_limit_…` codes. Null if admitted. */
  readonly refusal: AppError | null;
  /** True if the request was counted as a message. Null if it does not count as one. */
  readonly messageCounted: boolean | null;
  readonly at: Date;
  /** Must be called once, when the request has ended. */
  readonly end: () => void;
}

interface Dependencies {
  readonly database: Kysely<Tables>;
  readonly clock: Clock;
  readonly log: Logger;
  readonly processId: string;
}

/** One of several concurrent requests of a key that are counted together. */
interface CountedRequest {
  readonly row: AdmissionRow;
  readonly report: InFlightReport;
  readonly at: Date;
  /** Position among them. The first ones are admitted. */
  readonly place: number;
}

interface AdmissionRequest {
  readonly keyId: string;
  readonly keyHash: string;
  readonly countsMessage: boolean;
}

const MAX_IN_FLIGHT = 50;

/** Monthly messages by plan, null for unlimited. Plans without API access are absent. */
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
         key_scopes, key_workspaces, key_networks, key_mode, workspace, let_in, refused, minute_count, minute_started_at, day_count, in_flight, messages_counted
  from admit_requests($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
`);

/**
 * Admission control of the public API: authenticates a key and enforces its rate limits, exactly across all
 * processes.
 */
export class Admission {
  readonly #dependencies: Dependencies;
  readonly #inFlight: InFlightRequests;
  readonly #keyIds = new LRUCache<string, string>({ max: 10_000 });
  /**
   * All requests of a key update the same few rows, so concurrent requests share one statement and wait for the
   * row locks once.
   */
  readonly #batcher: MicroBatcher<AdmissionRequest, null, CountedRequest>;

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies;
    this.#inFlight = new InFlightRequests({
      report: (keyId, report) => this.#report(keyId, report),
      failed: (err) => dependencies.log.error({ err }, 'reporting ended requests failed'),
    });
    this.#batcher = new MicroBatcher({
      nameOf: ({ keyHash, countsMessage }) => `${keyHash} ${countsMessage}`,
      run: async (request, { length }) => {
        const counted = await this.#count(request, length);
        return (_, place) => ({ ...counted, place });
      },
    });
  }

  /**
   * Admits or refuses a request. `countsMessage` tells whether it counts against the monthly quota. Throws
   * `invalid_key` and `expired_key`.
   */
  async admit(key: string, countsMessage: boolean): Promise<Admitted> {
    const keyHash = createHash('sha256').update(key).digest('hex');
    const keyId = await this.#findKeyId(keyHash);
    this.#inFlight.enter(keyId);
    const end = (leaving: { readonly wasLetIn: boolean; readonly isAwaited: boolean }) =>
      this.#inFlight.leave(keyId, leaving);
    try {
      const counted = await this.#batcher.add({ keyId, keyHash, countsMessage }, null);
      const { row, report, at, place } = counted;
      // The key also has requests in flight in other processes.
      const isAwaited = row.in_flight > report.requests;
      const holder = keyHolderFromRow(row);
      const refusal = findRefusal(counted, holder.workspace.plan);
      if (refusal !== null) end({ wasLetIn: false, isAwaited: false });
      return {
        holder,
        limits: toKeyLimits(counted),
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
   * Returns the id of a key. The current and the previous value of a key share one id, so their requests in
   * flight are counted together. Whether the value is still valid is checked for each request. Throws
   * `invalid_key`.
   */
  async #findKeyId(keyHash: string): Promise<string> {
    const cached = this.#keyIds.get(keyHash);
    if (cached !== undefined) return cached;
    const row = await this.#dependencies.database
      .selectFrom('api_key')
      .select('id')
      .where((where) => where.or([where('key_hash', '=', keyHash), where('previous_key_hash', '=', keyHash)]))
      .executeTakeFirst();
    if (row === undefined) throw new AppError('invalid_key');
    this.#keyIds.set(keyHash, row.id);
    return row.id;
  }

  /** Waits for running reports of ended requests. */
  close(): Promise<void> {
    return this.#inFlight.close();
  }

  async #count(
    { keyId, keyHash, countsMessage }: AdmissionRequest,
    requests: number,
  ): Promise<Omit<CountedRequest, 'place'>> {
    const { database, clock, processId } = this.#dependencies;
    const at = clock.now();
    const report = this.#inFlight.report(keyId);
    const parameters = [
      ...[keyHash, at, processId, requests, report.requests, report.ended, report.number],
      ...[MAX_IN_FLIGHT, quotas, countsMessage],
    ];
    const [row] = await admitRequests(database, parameters);
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
    scopes: toKeyScopes(row.key_scopes),
    workspaces: toKeyReach(row.key_workspaces),
    mode: toKeyMode(row.key_mode),
    allowedNetworks: row.key_networks,
    expiresAt: row.expires_at,
    createdAt: row.key_created_at,
  };
}

function toKeyLimits({ row, at, place }: CountedRequest): KeyLimits {
  const remainingInBatch = Math.max(0, row.let_in - 1 - place);
  return {
    minute: row.rate_limit_minute,
    minuteRemaining: Math.max(0, row.rate_limit_minute - row.minute_count + remainingInBatch),
    day: row.rate_limit_day,
    dayRemaining: Math.max(0, row.rate_limit_day - row.day_count + remainingInBatch),
    dayResets: nextMidnight(at),
  };
}

/** A row returned by the SQL function `admit_requests`. */
interface AdmissionRow {
  readonly key_id: string;
  readonly key_name: string;
  readonly key_ending: string;
  readonly rate_limit_minute: number;
  readonly rate_limit_day: number;
  readonly expires_at: Date | null;
  readonly revoked_at: Date | null;
  readonly key_created_at: Date;
  readonly key_scopes: readonly string[];
  readonly key_workspaces: string;
  readonly key_networks: readonly string[];
  readonly key_mode: string;
  /** The row of the workspace, read as JSON, so its times are strings. */
  readonly workspace: Omit<Selectable<Tables['workspace']>, 'created_at' | 'deleted_at'> & {
    readonly created_at: string;
  };
  /** Number of admitted requests of this batch. */
  readonly let_in: number;
  /** Limit that refused the others. Null if all were admitted. */
  readonly refused: 'minute' | 'day' | 'concurrent' | null;
  /** This and the following counts include all admitted requests. */
  readonly minute_count: number;
  readonly minute_started_at: Date;
  readonly day_count: number;
  readonly in_flight: number;
  /** Number of admitted requests that were counted as messages. Null if none should be. */
  readonly messages_counted: number | null;
}

const MINUTE_MS = 60_000;

interface RefusalInput {
  readonly row: AdmissionRow;
  readonly at: Date;
  /** Position in its batch. */
  readonly place: number;
}

/** Returns the reason for a refusal with the time to retry, or null if the request is admitted. */
function findRefusal({ row, at, place }: RefusalInput, plan: PlanName): AppError | null {
  if (!plans[plan].apiAccess) return new AppError('feature_not_in_plan');
  if (place < row.let_in) return null;
  switch (row.refused) {
    case 'minute': {
      const resetsAt = new Date(row.minute_started_at.getTime() + MINUTE_MS);
      return new AppError('rate_limit_minute', { retryAfterSeconds: secondsUntil(resetsAt, at) });
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
 * Returns the workspace of a request: the named one, or the key's own. Throws `workspace_not_found`,
 * `workspace_access_denied` for a workspace that the key does not reach, and `feature_not_in_plan` for one without
 * API access.
 */
export async function findWorkspaceForKey(
  workspaces: Workspaces,
  holder: KeyHolder,
  workspaceId: string | undefined,
): Promise<Workspace> {
  if (workspaceId === undefined || workspaceId === holder.workspace.id) return holder.workspace;
  const workspace = await workspaces.get(workspaceId);
  if (workspace.owner !== holder.workspace.owner) throw new AppError('workspace_access_denied');
  if (!keyReachesWorkspace(holder, workspace)) {
    throw new AppError('workspace_access_denied', {
      detail:
        'This key reaches its own workspace only. Leave workspace_id out, or use a key of that workspace.',
    });
  }
  if (!plans[workspace.plan].apiAccess) throw new AppError('feature_not_in_plan');
  return workspace;
}

/** Whether the workspace is the key's own or, if the key reaches all of them, one of its owner. */
export function keyReachesWorkspace(
  {
    workspace: own,
    workspaces,
  }: Pick<KeyHolder, 'workspaces'> & {
    readonly workspace: Pick<Workspace, 'id' | 'owner'>;
  },
  { id, owner }: Pick<Workspace, 'id' | 'owner'>,
): boolean {
  return id === own.id || (workspaces === 'owner' && owner === own.owner);
}
