import { type Kysely, sql } from 'kysely';
import type { Clock } from '../base/clock.ts';
import { AppError } from '../base/errors.ts';
import type { Tables } from '../storage/tables/tables.ts';
import { toAddressGroup } from './public-rate.ts';

interface Rates {
  /** Questions of one visitor per minute. */
  readonly asksOfVisitor: number;
  /** Questions, sessions and the like from one address per minute. An office may share one address. */
  readonly asksOfAddress: number;
  /** Number of those before a proof of work is required. */
  readonly easyAsksOfAddress: number;
  /** The same limit over all addresses, so that a client gains nothing from many addresses. */
  readonly easyAsksOfWorkspace: number;
  /** All other requests from one address per minute. */
  readonly readsOfAddress: number;
  /** Files from one address per day, because the storage of a workspace is shared by all its visitors. */
  readonly filesOfAddress: number;
}

interface Dependencies {
  readonly database: Kysely<Tables>;
  readonly clock: Clock;
  readonly rates?: Partial<Rates>;
}

export interface Caller {
  readonly workspaceId: string;
  readonly address: string;
  readonly visitorId?: string;
}

interface Waits {
  /** Null if the limit was not checked because another one refused before. */
  readonly easy: number | null;
  readonly address: number | null;
  readonly visitor: number | null;
}

const defaultRates: Rates = {
  asksOfVisitor: 12,
  asksOfAddress: 60,
  easyAsksOfAddress: 20,
  easyAsksOfWorkspace: 240,
  readsOfAddress: 300,
  filesOfAddress: 60,
};
const MINUTE_SECONDS = 60;
const DAY_SECONDS = 24 * 60 * MINUTE_SECONDS;

/**
 * Rate limits of visitors, counted across all servers. Throws `rate_limit_minute`, and `rate_limit_day` for
 * files.
 */
export class VisitorRateLimit {
  readonly #dependencies: Dependencies;
  readonly #rates: Rates;

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies;
    this.#rates = { ...defaultRates, ...dependencies.rates };
  }

  /**
   * Counts a question. Under unusual load throws `challenge_required`, unless the caller has solved the proof
   * of work or cannot solve one (`isProven`). The other limits are then not counted.
   */
  async ask(caller: Caller, { isProven }: { readonly isProven: boolean }): Promise<void> {
    const { asksOfAddress, asksOfVisitor } = this.#rates;
    const { easy, address, visitor } = await this.#takeTokens(caller, isProven);
    if (easy !== null && easy > 0)
      throw new AppError('challenge_required', { retryAfterSeconds: Math.ceil(easy) });
    throwRateLimit(address, asksOfAddress);
    throwRateLimit(visitor, asksOfVisitor);
  }

  async read({ workspaceId, address }: Caller): Promise<void> {
    const { readsOfAddress } = this.#rates;
    const bucket = `visitor reads ${workspaceId} ${toAddressGroup(address)}`;
    throwRateLimit(await this.#waitFor(bucket, readsOfAddress, MINUTE_SECONDS), readsOfAddress);
  }

  /** Counts a file, in addition to the question that it belongs to. */
  async file({ workspaceId, address }: Caller): Promise<void> {
    const { filesOfAddress } = this.#rates;
    const bucket = `visitor files ${workspaceId} ${toAddressGroup(address)}`;
    const wait = await this.#waitFor(bucket, filesOfAddress, DAY_SECONDS);
    if (wait === 0) return;
    throw new AppError('rate_limit_day', {
      detail: `At most ${filesOfAddress} files in 24 hours are allowed from one address.`,
      retryAfterSeconds: Math.ceil(wait),
    });
  }

  async #waitFor(bucket: string, capacity: number, fillSeconds: number): Promise<number> {
    const { database, clock } = this.#dependencies;
    const { rows } = await sql<{ wait: number }>`
      select ${takeTokenSql(bucket, capacity, { now: clock.now(), fillSeconds })} as wait
    `.execute(database);
    return rows[0]?.wait ?? 0;
  }

  /** Checks all limits in one round trip. Each limit takes a token only if the previous ones had one. */
  async #takeTokens({ workspaceId, address, visitorId }: Caller, isProven: boolean): Promise<Waits> {
    const { database, clock } = this.#dependencies;
    const rates = this.#rates;
    const filling = { now: clock.now(), fillSeconds: MINUTE_SECONDS };
    const caller = `${workspaceId} ${toAddressGroup(address)}`;
    const { rows } = await sql<Waits>`
      with crowd as materialized (
        select case when ${isProven} then null else greatest(
          ${takeTokenSql(`visitor easy ${caller}`, rates.easyAsksOfAddress, filling)},
          ${takeTokenSql(`visitor easy ${workspaceId}`, rates.easyAsksOfWorkspace, filling)}
        ) end as easy
      ), line as materialized (
        select easy, case when coalesce(easy, 0) = 0 then
          ${takeTokenSql(`visitor asks ${caller}`, rates.asksOfAddress, filling)}
        end as address from crowd
      )
      select easy, address, case when address = 0 and ${visitorId !== undefined} then
        ${takeTokenSql(`visitor ${visitorId}`, rates.asksOfVisitor, filling)}
      end as visitor from line
    `.execute(database);
    return rows[0] ?? { easy: null, address: null, visitor: null };
  }
}

function takeTokenSql(
  bucket: string,
  capacity: number,
  { now, fillSeconds }: { readonly now: Date; readonly fillSeconds: number },
) {
  return sql`take_token(${bucket}, ${capacity}::int, ${fillSeconds}::float8, ${now}::timestamptz)`;
}

function throwRateLimit(wait: number | null, capacity: number): void {
  if (wait === null || wait === 0) return;
  throw new AppError('rate_limit_minute', {
    detail: `At most ${capacity} of these requests are allowed in ${MINUTE_SECONDS} seconds.`,
    retryAfterSeconds: Math.ceil(wait),
  });
}
