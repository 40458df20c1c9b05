import { type Kysely, sql } from 'kysely';
import type { Clock } from '../clock.ts';
import { AppError } from '../errors.ts';
import type { Tables } from '../storage/tables.ts';
import { addressGroup } from './address-group.ts';

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

const usualRates: Rates = {
  asksOfVisitor: 12,
  asksOfAddress: 60,
  easyAsksOfAddress: 20,
  easyAsksOfWorkspace: 240,
  readsOfAddress: 300,
};
const fillSeconds = 60;

/** How often visitors may call, counted over all servers. Throws `rate_limit_minute`. */
export class VisitorRate {
  readonly #dependencies: Dependencies;
  readonly #rates: Rates;

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies;
    this.#rates = { ...usualRates, ...dependencies.rates };
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
    refuse(address, asksOfAddress);
    refuse(visitor, asksOfVisitor);
  }

  async read({ workspaceId, address }: Caller): Promise<void> {
    const { database, clock } = this.#dependencies;
    const { readsOfAddress } = this.#rates;
    const { rows } = await sql<{ wait: number }>`
      select ${tokenOf(`visitor reads ${workspaceId} ${addressGroup(address)}`, readsOfAddress, clock.now())} as wait
    `.execute(database);
    refuse(rows[0]?.wait ?? null, readsOfAddress);
  }

  /** In one round trip; each limit takes its token only where those before it had one. */
  async #askedOf({ workspaceId, address, visitorId }: Caller, isProven: boolean): Promise<Waits> {
    const { database, clock } = this.#dependencies;
    const rates = this.#rates;
    const now = clock.now();
    const from = `${workspaceId} ${addressGroup(address)}`;
    const { rows } = await sql<Waits>`
      with crowd as materialized (
        select case when ${isProven} then null else greatest(
          ${tokenOf(`visitor easy ${from}`, rates.easyAsksOfAddress, now)},
          ${tokenOf(`visitor easy ${workspaceId}`, rates.easyAsksOfWorkspace, now)}
        ) end as easy
      ), line as materialized (
        select easy, case when coalesce(easy, 0) = 0 then
          ${tokenOf(`visitor asks ${from}`, rates.asksOfAddress, now)}
        end as address from crowd
      )
      select easy, address, case when address = 0 and ${visitorId !== undefined} then
        ${tokenOf(`visitor ${visitorId}`, rates.asksOfVisitor, now)}
      end as visitor from line
    `.execute(database);
    return rows[0] ?? { easy: null, address: null, visitor: null };
  }
}

function tokenOf(bucket: string, capacity: number, now: Date) {
  return sql`take_token(${bucket}, ${capacity}::int, ${fillSeconds}::float8, ${now}::timestamptz)`;
}

function refuse(wait: number | null, capacity: number): void {
  if (wait === null || wait === 0) return;
  throw new AppError('rate_limit_minute', {
    detail: `At most ${capacity} of these in ${fillSeconds} seconds.`,
    retryAfterSeconds: Math.ceil(wait),
  });
}
