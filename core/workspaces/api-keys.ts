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
  /** Until when the key's former value works; null where only one does. */
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

/** The keys of a workspace. A key's value exists only in the answer to its creation; its SHA-256 is what is stored. */
export class ApiKeys {
  readonly #dependencies: Dependencies;

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies;
  }

  /** Throws `invalid_expires_at` for a time that has passed. */
  async create(workspaceId: string, wanted: NewApiKey): Promise<{ apiKey: ApiKey; value: string }> {
    const now = this.#dependencies.clock.now();
    if (wanted.expiresAt !== undefined && wanted.expiresAt <= now) throw new AppError('invalid_expires_at');
    const value = newKeyValue();
    const row = await this.#dependencies.database
      .insertInto('api_key')
      .values({
        id: newId('key'),
        workspace_id: workspaceId,
        name: wanted.name,
        key_hash: hashKey(value),
        key_ending: value.slice(-4),
        rate_limit_minute: wanted.rateLimitMinute ?? 60,
        rate_limit_day: wanted.rateLimitDay ?? 1_000,
        expires_at: wanted.expiresAt ?? null,
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
   * Gives the key a new value; limits, counts and expiry stay. The former value works until the grace period ends or the
   * key expires. Throws `key_not_found` and `key_expired`.
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
      const isKept = graceSeconds > 0;
      await transaction
        .updateTable('api_key')
        .set({
          key_hash: hashKey(secret),
          key_ending: secret.slice(-4),
          previous_key_hash: isKept ? row.key_hash : null,
          previous_key_until: isKept ? previousValidUntil : null,
        })
        .where('workspace_id', '=', workspaceId)
        .where('id', '=', id)
        .execute();
      await noteRotation(transaction, { workspaceId, kind: 'key', id, at: now, previousValidUntil });
      return { secret, previousValidUntil };
    });
  }

  /** Throws `key_not_found`, also for one that was revoked before. */
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
