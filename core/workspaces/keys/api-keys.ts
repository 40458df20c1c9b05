import { createHash, randomBytes } from 'node:crypto';
import { type Kysely, type Selectable, sql } from 'kysely';
import { z } from 'zod';
import { auditWorkspace } from '../../audit/audit-log.ts';
import type { Clock } from '../../base/clock.ts';
import { AppError } from '../../base/errors.ts';
import { newId } from '../../base/ids.ts';
import type { Page, PageRequest } from '../../base/pagination.ts';
import { operatorActor } from '../../contract/actor.ts';
import {
  endOfGrace,
  noteRotation,
  type Rotated,
  type Rotation,
  runningGrace,
} from '../../secrets/secret-rotation.ts';
import { keysetPage } from '../../storage/keyset-page.ts';
import type { Tables } from '../../storage/tables/tables.ts';
import {
  defaultKeyScopes,
  type KeyMode,
  type KeyReach,
  type KeyScope,
  TEST_KEY_PREFIX,
  toKeyMode,
  toKeyReach,
  toKeyScopes,
} from './key-scopes.ts';

export interface ApiKey {
  readonly id: string;
  readonly workspaceId: string;
  readonly name: string;
  /** The last four characters of the key. */
  readonly ending: string;
  readonly rateLimitMinute: number;
  readonly rateLimitDay: number;
  readonly scopes: readonly KeyScope[];
  readonly workspaces: KeyReach;
  readonly mode: KeyMode;
  /** The networks in CIDR notation that it may be used from. Empty: all. */
  readonly allowedNetworks: readonly string[];
  readonly expiresAt: Date | null;
  /** End of the grace period of the key's previous value. Null if only one value is valid. */
  readonly previousValidUntil: Date | null;
  readonly createdAt: Date;
  /** The name of the person who made it, or `operator`. */
  readonly createdBy: string;
  /** The time of the last use, to the minute. */
  readonly lastUsedAt: Date | null;
  /** The time of the last use of each scope, to the minute, in their order. Scopes that were never used are absent. */
  readonly scopesUsed: readonly ScopeUse[];
  readonly revokedAt: Date | null;
}

interface ScopeUse {
  readonly scope: KeyScope;
  readonly at: Date;
}

/** Outcomes of a key's requests on a day (UTC). */
export interface KeyDay {
  /** Such as `2026-03-01`. */
  readonly day: string;
  /** Requests that succeeded, but for answers with low confidence. */
  readonly answered: number;
  readonly low: number;
  readonly errors: number;
  /** Refused because of a rate limit or the quota. */
  readonly limited: number;
}

/** Undefined fields stay unchanged. */
interface ApiKeyChange {
  readonly name?: string | undefined;
  readonly rateLimitMinute?: number | undefined;
  readonly rateLimitDay?: number | undefined;
  /** Null: never. */
  readonly expiresAt?: Date | null | undefined;
  /** Empty: all. */
  readonly allowedNetworks?: readonly string[] | undefined;
}

/** Every API key begins with it. */
export const API_KEY_PREFIX = 'pk_';

const DAYS_SHOWN = 30;
/** A key that was revoked by mistake can be restored for as long. */
const RESTORE_MS = 3_600_000;

export interface NewApiKey {
  readonly name: string;
  readonly rateLimitMinute?: number | undefined;
  readonly rateLimitDay?: number | undefined;
  /** Absent: `defaultKeyScopes`. */
  readonly scopes?: readonly KeyScope[] | undefined;
  /** Absent: all workspaces of the owner. */
  readonly workspaces?: KeyReach | undefined;
  /** Absent: `live`. */
  readonly mode?: KeyMode | undefined;
  /** Absent or empty: the key may be used from everywhere. */
  readonly allowedNetworks?: readonly string[] | undefined;
  readonly expiresAt?: Date | undefined;
}

interface KeyRotation extends Rotation {
  /** Whether the caller has no rights in other workspaces of the owner. */
  readonly isLimited?: boolean;
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
  async create(
    workspaceId: string,
    newKey: NewApiKey,
    actor = operatorActor,
  ): Promise<{ apiKey: ApiKey; value: string }> {
    const now = this.#dependencies.clock.now();
    if (newKey.expiresAt !== undefined && newKey.expiresAt <= now) throw new AppError('invalid_expires_at');
    const mode = newKey.mode ?? 'live';
    const value = newKeyValue(mode);
    const id = newId('key');
    const scopes = toKeyScopes(newKey.scopes ?? defaultKeyScopes);
    const workspaces = newKey.workspaces ?? 'owner';
    const networks = [...new Set(newKey.allowedNetworks ?? [])];
    const row = await this.#dependencies.database.transaction().execute(async (transaction) => {
      const inserted = await transaction
        .insertInto('api_key')
        .values({
          id,
          workspace_id: workspaceId,
          name: newKey.name,
          key_hash: hashKey(value),
          key_ending: value.slice(-4),
          rate_limit_minute: newKey.rateLimitMinute ?? 60,
          rate_limit_day: newKey.rateLimitDay ?? 1_000,
          scopes: [...scopes],
          workspaces,
          mode,
          allowed_networks: networks,
          expires_at: newKey.expiresAt ?? null,
          revoked_at: null,
          created_at: now,
          created_by: actor.name,
        })
        .returningAll()
        .executeTakeFirstOrThrow();
      const limited = networks.length > 0 && { allowed_networks: networks };
      const tested = mode === 'test' && { mode };
      const details = { id, name: newKey.name, scopes, workspaces, ...tested, ...limited };
      await auditWorkspace(transaction, { workspaceId, actor, at: now, action: 'key_created', details });
      return inserted;
    });
    return { apiKey: apiKeyFromRow(row, now), value };
  }

  /** Returns the valid keys, or those that were revoked, newest first. Throws `invalid_cursor`. */
  async list(workspaceId: string, page: PageRequest, { revoked = false } = {}): Promise<Page<ApiKey>> {
    const query = this.#dependencies.database
      .selectFrom('api_key')
      .selectAll()
      .where('workspace_id', '=', workspaceId)
      .where('revoked_at', revoked ? 'is not' : 'is', null);
    const list = `${revoked ? 'revoked keys' : 'keys'} ${workspaceId}`;
    const { items, nextCursor } = await keysetPage(query, { list, latest: 'created_at' }, page);
    const now = this.#dependencies.clock.now();
    return { items: items.map((row) => apiKeyFromRow(row, now)), nextCursor };
  }

  /** Returns the outcomes of keys in the last 30 days, oldest first, by key. Days without requests are left out. */
  async days(keys: readonly Pick<ApiKey, 'id'>[]): Promise<ReadonlyMap<string, readonly KeyDay[]>> {
    if (keys.length === 0) return new Map();
    const since = new Date(this.#dependencies.clock.now().getTime() - (DAYS_SHOWN - 1) * 24 * 3_600_000);
    const rows = await this.#dependencies.database
      .selectFrom('key_day')
      .select(['key_id', sql<string>`day::text`.as('day'), 'answered', 'low', 'errors', 'limited'])
      .where(
        'key_id',
        'in',
        keys.map(({ id }) => id),
      )
      .where('day', '>=', sql<Date>`${since.toISOString().slice(0, 10)}::date`)
      .orderBy('day')
      .execute();
    return Map.groupBy(rows, ({ key_id }) => key_id);
  }

  /** Throws `key_not_found`, and `invalid_expires_at` for a time in the past. */
  async change(
    workspaceId: string,
    id: string,
    change: ApiKeyChange,
    actor = operatorActor,
  ): Promise<ApiKey> {
    const at = this.#dependencies.clock.now();
    const { name, rateLimitMinute, rateLimitDay, expiresAt, allowedNetworks } = change;
    if (expiresAt !== undefined && expiresAt !== null && expiresAt <= at) {
      throw new AppError('invalid_expires_at');
    }
    const set = {
      ...(name !== undefined && { name }),
      ...(rateLimitMinute !== undefined && { rate_limit_minute: rateLimitMinute }),
      ...(rateLimitDay !== undefined && { rate_limit_day: rateLimitDay }),
      ...(expiresAt !== undefined && { expires_at: expiresAt }),
      ...(allowedNetworks !== undefined && { allowed_networks: [...new Set(allowedNetworks)] }),
    };
    const row = await this.#dependencies.database.transaction().execute(async (transaction) => {
      const changed = await transaction
        .updateTable('api_key')
        .set(set)
        .where('workspace_id', '=', workspaceId)
        .where('id', '=', id)
        .where('revoked_at', 'is', null)
        .returningAll()
        .executeTakeFirst();
      if (changed === undefined) throw new AppError('key_not_found');
      const details = { id, name: changed.name, fields: Object.keys(set) };
      await auditWorkspace(transaction, { workspaceId, actor, at, action: 'key_changed', details });
      return changed;
    });
    return apiKeyFromRow(row, at);
  }

  /**
   * Gives the key a new value and keeps its limits, counts and expiry. The previous value is valid until the
   * grace period ends or the key expires. Throws `key_not_found` and `key_expired`, and `permission_denied` if the new value
   * would open more workspaces than the caller has rights in.
   */
  rotate(
    workspaceId: string,
    id: string,
    { graceSeconds, actor, isLimited = false }: KeyRotation,
  ): Promise<Rotated> {
    const { database, clock } = this.#dependencies;
    return database.transaction().execute(async (transaction) => {
      const row = await transaction
        .selectFrom('api_key')
        .select(['key_hash', 'expires_at', 'workspaces', 'mode'])
        .where('workspace_id', '=', workspaceId)
        .where('id', '=', id)
        .where('revoked_at', 'is', null)
        .forNoKeyUpdate()
        .executeTakeFirst();
      if (row === undefined) throw new AppError('key_not_found');
      if (isLimited && toKeyReach(row.workspaces) === 'owner') throw denyWholeOwner();
      const now = clock.now();
      if (row.expires_at !== null && row.expires_at <= now) throw new AppError('key_expired');
      const secret = newKeyValue(toKeyMode(row.mode));
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
      await noteRotation(transaction, { workspaceId, kind: 'key', id, at: now, actor, previousValidUntil });
      return { secret, previousValidUntil };
    });
  }

  /** Throws `key_not_found`, also for a key that is already revoked. */
  async revoke(workspaceId: string, id: string, actor = operatorActor): Promise<void> {
    const at = this.#dependencies.clock.now();
    await this.#dependencies.database.transaction().execute(async (transaction) => {
      const row = await transaction
        .updateTable('api_key')
        .set({ revoked_at: at })
        .where('workspace_id', '=', workspaceId)
        .where('id', '=', id)
        .where('revoked_at', 'is', null)
        .returning('name')
        .executeTakeFirst();
      if (row === undefined) throw new AppError('key_not_found');
      const details = { id, name: row.name };
      await auditWorkspace(transaction, { workspaceId, actor, at, action: 'key_revoked', details });
    });
  }

  /** Takes a revocation back. Throws `key_not_found` if the key was not revoked in the last hour. */
  async restore(workspaceId: string, id: string, actor = operatorActor): Promise<ApiKey> {
    const at = this.#dependencies.clock.now();
    const row = await this.#dependencies.database.transaction().execute(async (transaction) => {
      const restored = await transaction
        .updateTable('api_key')
        .set({ revoked_at: null })
        .where('workspace_id', '=', workspaceId)
        .where('id', '=', id)
        .where('revoked_at', '>', new Date(at.getTime() - RESTORE_MS))
        .returningAll()
        .executeTakeFirst();
      if (restored === undefined) throw new AppError('key_not_found');
      const details = { id, name: restored.name };
      await auditWorkspace(transaction, { workspaceId, actor, at, action: 'key_restored', details });
      return restored;
    });
    return apiKeyFromRow(row, at);
  }
}

/** The refusal of a value that opens all workspaces of an owner, to somebody who has rights in some of them only. */
export function denyWholeOwner(): AppError {
  return new AppError('permission_denied', {
    detail:
      'This key would reach all workspaces of the owner, and your role covers some of them only. Create one with workspaces: "own", or ask an owner of all of them.',
  });
}

function hashKey(value: string): string {
  return createHash('sha256').update(value).digest('hex');
}

function newKeyValue(mode: KeyMode): string {
  return `${mode === 'test' ? TEST_KEY_PREFIX : API_KEY_PREFIX}${randomBytes(32).toString('base64url')}`;
}

function apiKeyFromRow(row: Selectable<Tables['api_key']>, now: Date): ApiKey {
  return {
    id: row.id,
    workspaceId: row.workspace_id,
    name: row.name,
    ending: row.key_ending,
    rateLimitMinute: row.rate_limit_minute,
    rateLimitDay: row.rate_limit_day,
    scopes: toKeyScopes(row.scopes),
    workspaces: toKeyReach(row.workspaces),
    mode: toKeyMode(row.mode),
    allowedNetworks: row.allowed_networks,
    expiresAt: row.expires_at,
    previousValidUntil: runningGrace(row.previous_key_until, now),
    createdAt: row.created_at,
    createdBy: row.created_by,
    lastUsedAt: row.last_used_at,
    scopesUsed: toScopesUsed(row.scopes_used),
    revokedAt: row.revoked_at,
  };
}

const scopesUsedSchema = z.record(z.string(), z.coerce.date());

function toScopesUsed(stored: unknown): readonly ScopeUse[] {
  const times = scopesUsedSchema.parse(stored);
  return toKeyScopes(Object.keys(times)).flatMap((scope) => {
    const at = times[scope];
    return at === undefined ? [] : [{ scope, at }];
  });
}
