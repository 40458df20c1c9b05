import { createHash, randomUUID } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import type { Clock } from '../base/clock.ts';
import { AppError } from '../base/errors.ts';
import type { Companion, CompanionKind } from '../storage/companion.ts';
import { raisesError } from '../storage/sql-errors.ts';
import type { Tables } from '../storage/tables/tables.ts';

/** A request with an idempotency key. */
interface RepeatableRequest {
  /** Id of the API key. */
  readonly keyId: string;
  /** The client's `Idempotency-Key`. */
  readonly idempotencyKey: string;
  readonly requestHash: string;
}

/** The exclusive right to answer a request. */
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

/** SQLSTATE raised by `complete_idempotent_request`. */
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

/** Answers repeated requests once, for a day. Exact across all processes. */
export class IdempotentRequests {
  readonly #dependencies: Dependencies;

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Claims a request, or returns its stored response. Throws `duplicate_request_id` while another request holds
   * the claim, or if the idempotency key was used for a different request.
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
        detail: 'This Idempotency-Key was used with a different body in the last 24 hours. Use a new key.',
      });
    }
    if (row.status !== null && row.body === null) {
      throw new AppError('duplicate_request_id', {
        detail:
          'The response to this Idempotency-Key was deleted together with its conversation. Use a new key.',
      });
    }
    if (row.status === null || row.body === null) {
      throw new AppError('duplicate_request_id', {
        detail: 'The first request with this Idempotency-Key is still in progress. Retry later.',
      });
    }
    return { status: row.status, body: row.body };
  }

  /**
   * Returns the companion that stores the response together with its content. Both fail with
   * `duplicate_request_id` if the claim was released or passed on meanwhile.
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
   * Releases a claim, so that the next request can have it. Returns the response if it was stored just before.
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
    detail: 'This request took so long that another request with the same Idempotency-Key was accepted.',
    cause,
  });
}

/**
 * Returns the SHA-256 of the operation and the JSON value of the body, in lower-case hexadecimal. The order of
 * object keys does not matter, because clients often serialise the body anew before a retry.
 */
export function hashRequest(operation: string, body: unknown): string {
  return createHash('sha256')
    .update(`${operation}\n${JSON.stringify(body, sortFields)}`)
    .digest('hex');
}

/** A replacer of `JSON.stringify` that writes the fields of objects in the order of their names. */
function sortFields(_name: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)));
}
