import ipaddr from 'ipaddr.js';
import { type Kysely, sql } from 'kysely';
import type { Clock } from '../base/clock.ts';
import { AppError } from '../base/errors.ts';
import type { Tables } from '../storage/tables/tables.ts';

/** Providers assign at least a /64 network per subscriber, so a client controls all addresses in it. */
const SUBSCRIBER_BITS = 64;

/**
 * Returns the address group that counts as one caller: an IPv4 address (including mapped ones) or the /64
 * network of an IPv6 address.
 */
export function toAddressGroup(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (!(parsed instanceof ipaddr.IPv6)) return parsed.toString();
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toNormalizedString()}/${SUBSCRIBER_BITS}`)}/${SUBSCRIBER_BITS}`;
}

interface Dependencies {
  readonly database: Kysely<Tables>;
  readonly clock: Clock;
  /** Requests allowed at once. Default: 30. */
  readonly capacity?: number;
}

const DEFAULT_CAPACITY = 30;
const FILL_SECONDS = 60;
const SWEEP_INTERVAL_MS = 10 * 60_000;

/**
 * Rate limit of unauthenticated requests: one token bucket per workspace and address group, shared by all
 * processes.
 */
export class PublicRateLimit {
  readonly #dependencies: Dependencies;
  #sweptAt = 0;

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies;
  }

  /** Takes a token. Throws `rate_limit_minute` if the bucket is empty. */
  async take(workspaceId: string, address: string): Promise<void> {
    const { database, clock, capacity = DEFAULT_CAPACITY } = this.#dependencies;
    const now = clock.now();
    await this.#sweep(now);
    const bucket = `public ${workspaceId} ${toAddressGroup(address)}`;
    const { rows } = await sql<{ wait: number }>`
      select take_token(${bucket}, ${capacity}::int, ${FILL_SECONDS}::float8, ${now}::timestamptz) as wait
    `.execute(database);
    const wait = rows[0]?.wait ?? 0;
    if (wait === 0) return;
    throw new AppError('rate_limit_minute', {
      detail: `At most ${capacity} requests in ${FILL_SECONDS} seconds are allowed from one address.`,
      retryAfterSeconds: Math.ceil(wait),
    });
  }

  /** Deletes buckets that have refilled completely, because they are equivalent to missing ones. */
  async #sweep(now: Date): Promise<void> {
    if (now.getTime() - this.#sweptAt < SWEEP_INTERVAL_MS) return;
    this.#sweptAt = now.getTime();
    const refilledBefore = new Date(now.getTime() - FILL_SECONDS * 1_000);
    await sql`delete from token_bucket where name like 'public %' and updated_at < ${refilledBefore}`.execute(
      this.#dependencies.database,
    );
  }
}
