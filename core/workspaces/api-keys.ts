import { createHash, randomBytes } from 'node:crypto';
import type { Kysely, Selectable } from 'kysely';
import type { Clock } from '../clock.ts';
import { AppError } from '../errors.ts';
import { newId } from '../ids.ts';
import type { Page, PageRequest } from '../pagination.ts';
import { keysetPage } from '../storage/keyset-page.ts';
import type { Tables } from '../storage/tables/tables.ts';
import { endOfGrace, noteRotation, type Rotated, type Rotation, runningGrace } from './secret-rotation.ts';

export interface ApiKey {
  readonly id: string;
  readonly workspaceId: string;
  readonly name: string;
  /** The last four characters of the key. */
  readonly ending: string;
  readonly rateLimitMinute: number;
  readonly rateLimitDay: number;
  readonly expiresAt: Date | null;
  /** End of the grace period of the key's previous value. Null if only one value is valid. */
  readonly previousValidUntil: Date | null;
  readonly createdAt: Date;
}

export interface NewApiKey {
  readonly name: string;
  readonly rateLimitMinute?: number | undefined;
  readonly rateLimitDay?: number | undefined;
  readonly expiresAt?: Date | undefined;
}

interface Dependencies {
  readonly database: Kysely<Tables>;
  readonly clock: Clock;
}

/**
 * Manages the API keys of a workspace. A key's value is only returned at its creation. The database stores its
 * SHA-256.
 */
export class ApiKeys {
  readonly #dependencies: Dependencies;

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies;
  }

  /** Throws `invalid_expires_at` for a time in the past. */
  async create(workspaceId: string, newKey: NewApiKey): Promise<{ apiKey: ApiKey; value: string }> {
    const now = this.#dependencies.clock.now();
    if (newKey.expiresAt !== undefined && newKey.expiresAt <= now) throw new AppError('invalid_expires_at');
    const value = newKeyValue();
    const row = await this.#dependencies.database
      .insertInto('api_key')
      .values({
        id: newId('key'),
        workspace_id: workspaceId,
        name: newKey.name,
        key_hash: hashKey(value),
        key_ending: value.slice(-4),
        rate_limit_minute: newKey.rateLimitMinute ?? 60,
        rate_limit_day: newKey.rateLimitDay ?? 1_000,
        expires_at: newKey.expiresAt ?? null,
        revoked_at: null,
        created_at: now,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    return { apiKey: apiKeyFromRow(row, now), value };
  }

  async list(workspaceId: string, page: PageRequest): Promise<Page<ApiKey>> {
    const query = this.#dependencies.database
      .selectFrom('api_key')
      .selectAll()
      .where('workspace_id', '=', workspaceId)
      .where('revoked_at', 'is', null);
    const { items, nextCursor } = await keysetPage(
      query,
      { list: `keys ${workspaceId}`, latest: 'created_at' },
      page,
    );
    const now = this.#dependencies.clock.now();
    return { items: items.map((row) => apiKeyFromRow(row, now)), nextCursor };
  }

  /**
   * Gives the key a new value and keeps its limits, counts and expiry. The previous value is valid until the
   * grace period ends or the key expires. Throws `key_not_found` and `key_expired`.
   */
  rotate(workspaceId: string, id: string, { graceSeconds }: Rotation): Promise<Rotated> {
    const { database, clock } = this.#dependencies;
    return database.transaction().execute(async (transaction) => {
      const row = await transaction
        .selectFrom('api_key')
        .select(['key_hash', 'expires_at'])
        .where('workspace_id', '=', workspaceId)
        .where('id', '=', id)
        .where('revoked_at', 'is', null)
        .forNoKeyUpdate()
        .executeTakeFirst();
      if (row === undefined) throw new AppError('key_not_found');
      const now = clock.now();
      if (row.expires_at !== null && row.expires_at <= now) throw new AppError('key_expired');
      const secret = newKeyValue();
      const graceEnd = endOfGrace({ graceSeconds, now });
      const previousValidUntil =
        row.expires_at !== null && row.expires_at < graceEnd ? row.expires_at : graceEnd;
      const keepsPrevious = graceSeconds > 0;
      await transaction
        .updateTable('api_key')
        .set({
          key_hash: hashKey(secret),
          key_ending: secret.slice(-4),
          previous_key_hash: keepsPrevious ? row.key_hash : null,
          previous_key_until: keepsPrevious ? previousValidUntil : null,
        })
        .where('workspace_id', '=', workspaceId)
        .where('id', '=', id)
        .execute();
      await noteRotation(transaction, { workspaceId, kind: 'key', id, at: now, previousValidUntil });
      return { secret, previousValidUntil };
    });
  }

  /** Throws `key_not_found`, also for a key that is already revoked. */
  async revoke(workspaceId: string, id: string): Promise<void> {
    const result = await this.#dependencies.database
      .updateTable('api_key')
      .set({ revoked_at: this.#dependencies.clock.now() })
      .where('workspace_id', '=', workspaceId)
      .where('id', '=', id)
      .where('revoked_at', 'is', null)
      .executeTakeFirst();
    if (result.numUpdatedRows === 0n) throw new AppError('key_not_found');
  }
}

function hashKey(value: string): string {
  return createHash('sha256').update(value).digest('hex');
}

function newKeyValue(): string {
  return `pk_${randomBytes(32).toString('base64url')}`;
}

function apiKeyFromRow(row: Selectable<Tables['api_key']>, now: Date): ApiKey {
  return {
    id: row.id,
    workspaceId: row.workspace_id,
    name: row.name,
    ending: row.key_ending,
    rateLimitMinute: row.rate_limit_minute,
    rateLimitDay: row.rate_limit_day,
    expiresAt: row.expires_at,
    previousValidUntil: runningGrace(row.previous_key_until, now),
    createdAt: row.created_at,
  };
}
