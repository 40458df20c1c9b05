import { createHash } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import type { Clock } from '../clock.ts';
import { AppError } from '../errors.ts';
import type { Logger } from '../log.ts';
import { prepared } from '../storage/prepared.ts';
import type { Tables } from '../storage/tables.ts';
import type { ApiKey } from '../workspaces/api-keys.ts';
import { planNames, plans } from '../workspaces/plan.ts';
import { presentWorkspace } from '../workspaces/present-workspace.ts';
import type { Workspace } from '../workspaces/workspaces.ts';
import type { AdmissionRow } from './admission-row.ts';
import { InFlight, type InFlightReport } from './in-flight.ts';
import type { KeyLimits } from './key-limits.ts';
import { nextMidnight } from './next-midnight.ts';
import { refusalOf } from './refusal-of.ts';

/** A key that was accepted, with the workspace that it opens. */
export interface KeyHolder extends ApiKey {
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

interface Counted {
  readonly report: InFlightReport;
  readonly at: Date;
  readonly countsMessage: boolean;
}

const mostInFlight = 50;

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

const admitRequest = prepared<AdmissionRow>(`
  select key_id, key_name, key_ending, rate_limit_minute, rate_limit_day, expires_at, revoked_at, key_created_at,
         workspace, refused, minute_count, minute_started_at, day_count, in_flight, message_counted
  from admit_request($1, $2, $3, $4, $5, $6, $7, $8, $9)
`);

/** The door of the public API: who asks, and whether its key has not asked too often; exact over all processes. */
export class Admission {
  readonly #dependencies: Dependencies;
  readonly #inFlight: InFlight;

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies;
    this.#inFlight = new InFlight({
      report: (keyHash, report) => this.#report(keyHash, report),
      failed: (err) => dependencies.log.error({ err }, 'ended requests could not be taken off their key'),
    });
  }

  /** `countsMessage`: whether the request is one that the monthly quota counts. Throws `invalid_key` and `expired_key`. */
  async admit(key: string, countsMessage: boolean): Promise<Admitted> {
    const keyHash = createHash('sha256').update(key).digest('hex');
    const report = this.#inFlight.enter(keyHash);
    const end = (leaving: { readonly wasLetIn: boolean; readonly isAwaited: boolean }) =>
      this.#inFlight.leave(keyHash, leaving);
    try {
      const at = this.#dependencies.clock.now();
      const row = await this.#count(keyHash, { report, at, countsMessage });
      // Elsewhere requests of the key are in flight as well.
      const isAwaited = row.in_flight > report.requests;
      const holder = holderOf(row);
      const refusal = refusalOf(row, holder.workspace.plan, at);
      if (refusal !== null) end({ wasLetIn: false, isAwaited: false });
      return {
        holder,
        limits: limitsOf(row, at),
        refusal,
        messageCounted: row.message_counted,
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

  /** Waits for what is being told of requests that have ended. */
  close(): Promise<void> {
    return this.#inFlight.close();
  }

  async #count(keyHash: string, { report, at, countsMessage }: Counted): Promise<AdmissionRow> {
    const { database, processId } = this.#dependencies;
    const asked = [
      keyHash,
      at,
      processId,
      report.requests,
      report.ended,
      report.number,
      mostInFlight,
      quotas,
      countsMessage,
    ];
    const [row] = await admitRequest(database, asked);
    if (row === undefined || row.revoked_at !== null) throw new AppError('invalid_key');
    if (row.expires_at !== null && row.expires_at <= at) throw new AppError('expired_key');
    return row;
  }

  async #report(keyHash: string, { requests, ended, number }: InFlightReport): Promise<void> {
    await sql`
      update key_in_flight as held
      set (requests, ended, report) = (
        select now.requests, now.ended, now.report
        from in_flight_now(held, ${requests}::int, ${ended}::bigint, ${number}::bigint) as now
      )
      where held.process_id = ${this.#dependencies.processId}
        and held.key_id = (select id from api_key where key_hash = ${keyHash})
    `.execute(this.#dependencies.database);
  }
}

function holderOf(row: AdmissionRow): KeyHolder {
  const workspace = presentWorkspace(row.workspace);
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

function limitsOf(row: AdmissionRow, at: Date): KeyLimits {
  return {
    minute: row.rate_limit_minute,
    minuteRemaining: Math.max(0, row.rate_limit_minute - row.minute_count),
    day: row.rate_limit_day,
    dayRemaining: Math.max(0, row.rate_limit_day - row.day_count),
    dayResets: nextMidnight(at),
  };
}
