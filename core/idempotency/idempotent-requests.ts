import { createHash, randomUUID } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import stringify from 'safe-stable-stringify';
import type { Clock } from '../clock.ts';
import type { Companion, CompanionKind } from '../conversations/turn.ts';
import { AppError } from '../errors.ts';
import { raisesError } from '../storage/sql-errors.ts';
import type { Tables } from '../storage/tables/tables.ts';

/** A request that its caller may send again. */
interface RepeatableRequest {
  /** Of the API key. */
  readonly keyId: string;
  /** What the caller named the request by. */
  readonly idempotencyKey: string;
  readonly requestHash: string;
}

/** The right to answer a repeatable request; one request at a time has it. */
export interface Claim {
  readonly id: string;
  readonly keyId: string;
  readonly idempotencyKey: string;
}

export interface StoredResponse {
  readonly status: number;
  readonly body: string;
}

interface Dependencies {
  readonly database: Kysely<Tables>;
  readonly clock: Clock;
  readonly processId: string;
}

interface ClaimRow {
  readonly claimed: boolean;
  readonly same_request: boolean;
  readonly status: number | null;
  readonly body: string | null;
}

/** Raised by `complete_idempotent_request`. */
const claimLostSqlState = 'PY003';

const completion: CompanionKind = {
  name: 'idempotent request',
  columns: {
    key_id: 'text',
    idempotency_key: 'text',
    claim: 'text',
    response_status: 'integer',
    response_body: 'text',
  },
  expression: `complete_idempotent_request(
    asked.key_id, asked.idempotency_key, asked.claim, asked.response_status, asked.response_body
  )`,
};

/** Requests that are answered once however often they are sent, for a day; exact over all processes. */
export class IdempotentRequests {
  readonly #dependencies: Dependencies;

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * The right to answer, or the answer that there is already. Throws `duplicate_request_id` while another request has
   * that right, and where the idempotency key was used for something else.
   */
  async claim(request: RepeatableRequest): Promise<Claim | StoredResponse> {
    const { database, clock, processId } = this.#dependencies;
    const { keyId, idempotencyKey, requestHash } = request;
    const id = randomUUID();
    const { rows } = await sql<ClaimRow>`
      select * from claim_idempotency_key(${keyId}, ${idempotencyKey}, ${requestHash}, ${id}, ${processId},
                                          ${clock.now()}::timestamptz)
    `.execute(database);
    const row = rows[0];
    if (row === undefined) throw new TypeError('claim_idempotency_key returned nothing');
    if (row.claimed) return { id, keyId, idempotencyKey };
    if (!row.same_request) {
      throw new AppError('duplicate_request_id', {
        detail: 'This Idempotency-Key was used with another body in the last 24 hours.',
      });
    }
    if (row.status !== null && row.body === null) {
      throw new AppError('duplicate_request_id', {
        detail: 'The conversation that holds the answer to this Idempotency-Key was deleted.',
      });
    }
    if (row.status === null || row.body === null) {
      throw new AppError('duplicate_request_id', {
        detail: 'The first request with this Idempotency-Key is still being answered.',
      });
    }
    return { status: row.status, body: row.body };
  }

  /**
   * Keeps the answer beside what it tells. Both come to `duplicate_request_id` where the right to answer was given up or
   * passed on meanwhile.
   */
  completing({ keyId, idempotencyKey, id }: Claim, { status, body }: StoredResponse): Companion {
    return {
      kind: completion,
      values: {
        key_id: keyId,
        idempotency_key: idempotencyKey,
        claim: id,
        response_status: status,
        response_body: body,
      },
      errorOf: (error) => (raisesError(error, claimLostSqlState) ? claimLostError(error) : error),
    };
  }

  /**
   * Gives the right to answer back, so that the next request may have it. Returns the answer where it was stored
   * after all, just before.
   */
  async release(claim: Claim): Promise<StoredResponse | null> {
    const { database } = this.#dependencies;
    const { numDeletedRows } = await database
      .deleteFrom('idempotent_request')
      .where('key_id', '=', claim.keyId)
      .where('idempotency_key', '=', claim.idempotencyKey)
      .where('claim', '=', claim.id)
      .where('status', 'is', null)
      .executeTakeFirst();
    if (numDeletedRows === 1n) return null;
    const row = await database
      .selectFrom('idempotent_request')
      .select(['status', 'body'])
      .where('key_id', '=', claim.keyId)
      .where('idempotency_key', '=', claim.idempotencyKey)
      .where('claim', '=', claim.id)
      .executeTakeFirst();
    if (row === undefined || row.status === null || row.body === null) return null;
    return { status: row.status, body: row.body };
  }
}

function claimLostError(cause: unknown): AppError {
  return new AppError('duplicate_request_id', {
    detail: 'This request took so long that another one with its Idempotency-Key was let in.',
    cause,
  });
}

/**
 * What two requests have in common exactly when they ask for the same: the SHA-256, in lower-case hexadecimal, of the
 * operation and the JSON value of the body. Clients that retry often write the body anew, with its names in another
 * order.
 */
export function hashRequest(operation: string, body: unknown): string {
  return createHash('sha256')
    .update(`${operation}\n${stringify(body)}`)
    .digest('hex');
}
