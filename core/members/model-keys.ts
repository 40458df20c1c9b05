import type { Kysely, Selectable } from 'kysely';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { auditWorkspace } from '../audit/audit-log.ts';
import type { Clock } from '../base/clock.ts';
import { AppError } from '../base/errors.ts';
import { newId } from '../base/ids.ts';
import type { Logger } from '../base/log.ts';
import { type KeyTrial, trialOutcomes } from '../models/key-trial.ts';
import type { OwnerKeys } from '../models/provider-settings.ts';
import type { SecretBox } from '../secrets/secret-box.ts';
import type { Tables } from '../storage/tables/tables.ts';
import type { OwnerAuthority } from './authority.ts';

/** The key of a provider of language models that an owner brought, without the key itself. */
export interface ModelKey {
  readonly provider: string;
  /** The last four characters of the key. */
  readonly lastFour: string;
  readonly setAt: Date;
  /** The name of the person or operator who set it. */
  readonly setBy: string;
  /** The last try. */
  readonly trial: KeyTrial;
  readonly triedAt: Date;
}

interface NewKey {
  /** As `keyProvider` names it. */
  readonly provider: string;
  readonly apiKey: string;
  readonly trial: KeyTrial;
}

interface Dependencies {
  readonly database: Kysely<Tables>;
  readonly clock: Clock;
  readonly secretBox: SecretBox;
  readonly log: Pick<Logger, 'error'>;
  /** Returns true for a text that was not logged lately. */
  readonly isNews: (what: string) => boolean;
}

interface CachedKeys {
  readonly keys: OwnerKeys;
  readonly loadedAt: number;
}

/** A key that another process stored or removed counts here after this time. */
const FRESH_MS = 10_000;
const MAX_CACHED = 2_000;

type Row = Selectable<Tables['owner_model_key']>;

/** Stores the keys of providers of language models that owners brought. */
export class ModelKeys {
  readonly #dependencies: Dependencies;
  readonly #cached = new LRUCache<string, Promise<CachedKeys>>({ max: MAX_CACHED });

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies;
  }

  /** Returns the keys of an owner without their values, by provider. */
  async list(ownerId: string): Promise<readonly ModelKey[]> {
    const rows = await this.#rows(ownerId);
    return rows.map(keyFromRow);
  }

  /**
   * Returns the keys of an owner, to call models with. They are at most 10 seconds old. A key that cannot be decrypted is
   * missing.
   */
  async of(ownerId: string): Promise<OwnerKeys> {
    const now = this.#dependencies.clock.now().getTime();
    const cached = this.#cached.get(ownerId);
    if (cached !== undefined) {
      const { keys, loadedAt } = await cached;
      if (now - loadedAt < FRESH_MS) return keys;
    }
    const loading = this.#load(ownerId, now);
    this.#cached.set(ownerId, loading);
    try {
      return (await loading).keys;
    } catch (error) {
      this.#cached.delete(ownerId);
      throw error;
    }
  }

  /** Returns the key that an owner stored of a provider. Throws `model_key_not_found`. */
  async open(ownerId: string, provider: string): Promise<string> {
    const [row] = (await this.#rows(ownerId)).filter((each) => each.provider === provider);
    if (row === undefined) throw new AppError('model_key_not_found');
    return this.#dependencies.secretBox.open(row.key_encrypted, placeOf(row.id));
  }

  /** Stores a key in place of the owner's former one of the provider. */
  async save({ scope, actor }: OwnerAuthority, { provider, apiKey, trial }: NewKey): Promise<void> {
    const { database, clock, secretBox } = this.#dependencies;
    const at = clock.now();
    const { ownerId, workspaceId } = scope;
    await database.transaction().execute(async (transaction) => {
      const id = newId('mkey');
      const values = {
        id,
        key_encrypted: secretBox.seal(apiKey, placeOf(id)),
        last_four: apiKey.slice(-4),
        set_at: at,
        set_by: actor.name,
        ...trialColumns(trial, at),
      };
      await transaction
        .insertInto('owner_model_key')
        .values({ ...values, owner_id: ownerId, provider })
        .onConflict((conflict) => conflict.columns(['owner_id', 'provider']).doUpdateSet(values))
        .execute();
      const details = { provider, passed: trial.outcome === 'answered' };
      await auditWorkspace(transaction, { workspaceId, actor, at, action: 'model_key_set', details });
    });
    this.#cached.delete(ownerId);
  }

  /** Records another try of a key, unless the key was replaced since. */
  async recordTrial(ownerId: string, { provider, apiKey, trial }: NewKey): Promise<void> {
    const { database, clock, secretBox } = this.#dependencies;
    const [row] = (await this.#rows(ownerId)).filter((each) => each.provider === provider);
    if (row === undefined || secretBox.open(row.key_encrypted, placeOf(row.id)) !== apiKey) return;
    await database
      .updateTable('owner_model_key')
      .set(trialColumns(trial, clock.now()))
      .where('owner_id', '=', ownerId)
      .where('id', '=', row.id)
      .execute();
  }

  /** Removes a key. Throws `model_key_not_found`. */
  async remove({ scope, actor }: OwnerAuthority, provider: string): Promise<void> {
    const { database, clock } = this.#dependencies;
    const { ownerId, workspaceId } = scope;
    await database.transaction().execute(async (transaction) => {
      const row = await transaction
        .deleteFrom('owner_model_key')
        .where('owner_id', '=', ownerId)
        .where('provider', '=', provider)
        .returning('id')
        .executeTakeFirst();
      if (row === undefined) throw new AppError('model_key_not_found');
      const change = { action: 'model_key_removed', details: { provider } } as const;
      await auditWorkspace(transaction, { workspaceId, actor, at: clock.now(), ...change });
    });
    this.#cached.delete(ownerId);
  }

  async #rows(ownerId: string): Promise<readonly Row[]> {
    return this.#dependencies.database
      .selectFrom('owner_model_key')
      .selectAll()
      .where('owner_id', '=', ownerId)
      .orderBy('provider')
      .execute();
  }

  async #load(ownerId: string, loadedAt: number): Promise<CachedKeys> {
    const keys = new Map<string, string>();
    for (const row of await this.#rows(ownerId)) {
      const apiKey = this.#openRow(row);
      if (apiKey !== null) keys.set(row.provider, apiKey);
    }
    return { keys, loadedAt };
  }

  /** A damaged key stops the models that need it, and no others. */
  #openRow({ id, owner_id: owner, provider, key_encrypted: sealed }: Row): string | null {
    const { secretBox, log, isNews } = this.#dependencies;
    try {
      return secretBox.open(sealed, placeOf(id));
    } catch (error) {
      if (isNews(`unreadable ${id}`)) log.error({ owner, provider, err: error }, 'model key unreadable');
      return null;
    }
  }
}

function trialColumns({ model, outcome, ms, tokens, reason }: KeyTrial, at: Date) {
  return { tried_at: at, tried_model: model, outcome, answer_ms: ms, tokens, reason };
}

function placeOf(id: string) {
  return { table: 'owner_model_key', column: 'key_encrypted', id } as const;
}

function keyFromRow(row: Row): ModelKey {
  return {
    provider: row.provider,
    lastFour: row.last_four,
    setAt: row.set_at,
    setBy: row.set_by,
    triedAt: row.tried_at,
    trial: {
      model: row.tried_model,
      outcome: z.enum(trialOutcomes).parse(row.outcome),
      ms: row.answer_ms,
      tokens: row.tokens,
      reason: row.reason,
    },
  };
}
