import ipaddr from 'ipaddr.js';
import { type Kysely, sql } from 'kysely';
import type { Clock } from '../clock.ts';
import { AppError } from '../errors.ts';
import type { Tables } from '../storage/tables/tables.ts';

/** A line is given so many leading bits of an IPv6 address: whoever has one address of them has them all. */
const lineBits = 64;

/** What counts as one caller: an IPv4 address (mapped ones too), or the /64 network of an IPv6 one. */
export function toAddressGroup(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (!(parsed instanceof ipaddr.IPv6)) return parsed.toString();
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toNormalizedString()}/${lineBits}`)}/${lineBits}`;
}

interface Dependencies {
  readonly database: Kysely<Tables>;
  readonly clock: Clock;
  /** Requests that may come at once; 30 when absent. */
  readonly capacity?: number;
}

const defaultCapacity = 30;
const fillSeconds = 60;
const sweepEveryMs = 10 * 60_000;

/** How often strangers may ask: a bucket of tokens for each workspace and address, shared by all processes. */
export class PublicRateLimit {
  readonly #dependencies: Dependencies;
  #sweptAt = 0;

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies;
  }

  /** Takes a token. Throws `rate_limit_minute` where there is none. */
  async take(workspaceId: string, address: string): Promise<void> {
    const { database, clock, capacity = defaultCapacity } = this.#dependencies;
    const now = clock.now();
    await this.#sweep(now);
    const bucket = `public ${workspaceId} ${toAddressGroup(address)}`;
    const { rows } = await sql<{ wait: number }>`
      select take_token(${bucket}, ${capacity}::int, ${fillSeconds}::float8, ${now}::timestamptz) as wait
    `.execute(database);
    const wait = rows[0]?.wait ?? 0;
    if (wait === 0) return;
    throw new AppError('rate_limit_minute', {
      detail: `At most ${capacity} requests in ${fillSeconds} seconds from one address.`,
      retryAfterSeconds: Math.ceil(wait),
    });
  }

  /** A bucket that has had the time to fill up is as good as none; now and then they are removed. */
  async #sweep(now: Date): Promise<void> {
    if (now.getTime() - this.#sweptAt < sweepEveryMs) return;
    this.#sweptAt = now.getTime();
    const full = new Date(now.getTime() - fillSeconds * 1_000);
    await sql`delete from token_bucket where name like 'public %' and updated_at < ${full}`.execute(
      this.#dependencies.database,
    );
  }
}
