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
  /** Everything else from one address in a minute. */
  readonly readsOfAddress: number;
}

interface Dependencies {
  readonly database: Kysely<Tables>;
  readonly clock: Clock;
  readonly rates?: Rates;
}

export interface Caller {
  readonly workspaceId: string;
  readonly address: string;
  readonly visitorId?: string;
}

const usualRates: Rates = { asksOfVisitor: 12, asksOfAddress: 60, readsOfAddress: 300 };
const fillSeconds = 60;

/** How often visitors may call, counted over all servers. Throws `rate_limit_minute`. */
export class VisitorRate {
  readonly #dependencies: Dependencies;
  readonly #rates: Rates;

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies;
    this.#rates = dependencies.rates ?? usualRates;
  }

  async ask({ workspaceId, address, visitorId }: Caller): Promise<void> {
    await this.#take(`visitor asks ${workspaceId} ${addressGroup(address)}`, this.#rates.asksOfAddress);
    if (visitorId !== undefined) await this.#take(`visitor ${visitorId}`, this.#rates.asksOfVisitor);
  }

  read({ workspaceId, address }: Caller): Promise<void> {
    return this.#take(`visitor reads ${workspaceId} ${addressGroup(address)}`, this.#rates.readsOfAddress);
  }

  async #take(bucket: string, capacity: number): Promise<void> {
    const { database, clock } = this.#dependencies;
    const { rows } = await sql<{ wait: number }>`
      select take_token(${bucket}, ${capacity}::int, ${fillSeconds}::float8, ${clock.now()}::timestamptz) as wait
    `.execute(database);
    const wait = rows[0]?.wait ?? 0;
    if (wait === 0) return;
    throw new AppError('rate_limit_minute', {
      detail: `At most ${capacity} of these in ${fillSeconds} seconds.`,
      retryAfterSeconds: Math.ceil(wait),
    });
  }
}
