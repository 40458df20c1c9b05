import { type Kysely, sql } from 'kysely';
import type { Clock } from '../clock.ts';
import { AppError } from '../errors.ts';
import type { Tables } from '../storage/tables/tables.ts';
import { toAddressGroup } from './public-rate.ts';

interface Rates {
  /** Questions of one visitor in a minute. */
  readonly asksOfVisitor: number;
  /** Questions, sessions and the like from one address in a minute: an office may share one. */
  readonly asksOfAddress: number;
  /** As many of those before work has to be shown for more. */
  readonly easyAsksOfAddress: number;
  /** As many of all addresses together, so that many of them are of no use. */
  readonly easyAsksOfWorkspace: number;
  /** Everything else from one address in a minute. */
  readonly readsOfAddress: number;
  /** Files from one address in a day: what a workspace keeps is for all its visitors. */
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
  /** Null where it was not asked for, because another one refused before. */
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
const minute = 60;
const day = 24 * 60 * minute;

/** How often visitors may call, counted over all servers. Throws `rate_limit_minute`, for files `rate_limit_day`. */
export class VisitorRateLimit {
  readonly #dependencies: Dependencies;
  readonly #rates: Rates;

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies;
    this.#rates = { ...defaultRates, ...dependencies.rates };
  }

  /**
   * Throws `challenge_required` where there is more to do than usual, unless the caller has shown work, or cannot
   * (`isProven`): nothing is counted against the other limits then.
   */
  async ask(caller: Caller, { isProven }: { readonly isProven: boolean }): Promise<void> {
    const { asksOfAddress, asksOfVisitor } = this.#rates;
    const { easy, address, visitor } = await this.#askedOf(caller, isProven);
    if (easy !== null && easy > 0)
      throw new AppError('challenge_required', { retryAfterSeconds: Math.ceil(easy) });
    throwRateLimit(address, asksOfAddress);
    throwRateLimit(visitor, asksOfVisitor);
  }

  async read({ workspaceId, address }: Caller): Promise<void> {
    const { readsOfAddress } = this.#rates;
    const bucket = `visitor reads ${workspaceId} ${toAddressGroup(address)}`;
    throwRateLimit(await this.#waitFor(bucket, readsOfAddress, minute), readsOfAddress);
  }

  /** Beside what is counted of asking. */
  async file({ workspaceId, address }: Caller): Promise<void> {
    const { filesOfAddress } = this.#rates;
    const bucket = `visitor files ${workspaceId} ${toAddressGroup(address)}`;
    const wait = await this.#waitFor(bucket, filesOfAddress, day);
    if (wait === 0) return;
    throw new AppError('rate_limit_day', {
      detail: `At most ${filesOfAddress} files from one address in 24 hours.`,
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

  /** In one round trip; each limit takes its token only where those before it had one. */
  async #askedOf({ workspaceId, address, visitorId }: Caller, isProven: boolean): Promise<Waits> {
    const { database, clock } = this.#dependencies;
    const rates = this.#rates;
    const filling = { now: clock.now(), fillSeconds: minute };
    const from = `${workspaceId} ${toAddressGroup(address)}`;
    const { rows } = await sql<Waits>`
      with crowd as materialized (
        select case when ${isProven} then null else greatest(
          ${takeTokenSql(`visitor easy ${from}`, rates.easyAsksOfAddress, filling)},
          ${takeTokenSql(`visitor easy ${workspaceId}`, rates.easyAsksOfWorkspace, filling)}
        ) end as easy
      ), line as materialized (
        select easy, case when coalesce(easy, 0) = 0 then
          ${takeTokenSql(`visitor asks ${from}`, rates.asksOfAddress, filling)}
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
    detail: `At most ${capacity} of these in ${minute} seconds.`,
    retryAfterSeconds: Math.ceil(wait),
  });
}
