import { type Kysely, sql } from 'kysely';
import { z } from 'zod';
import type { Clock } from '../clock.ts';
import type { Json } from '../contract/json.ts';
import { storable } from '../storable.ts';
import type { Tables } from '../storage/tables.ts';
import type { SecretBox } from '../workspaces/secret-box.ts';
import { AccountCache } from './account-cache.ts';
import { accountOf } from './account-of.ts';
import type { ChannelStatus } from './channel-record.ts';
import { Hearing } from './hearing.ts';
import type { OpenedAccount } from './opened-account.ts';

interface Dependencies {
  readonly database: Kysely<Tables>;
  readonly clock: Clock;
  readonly secretBox: SecretBox;
  /** Where the world reaches this installation. */
  readonly publicUrl: string | undefined;
}

/** Channels as those need them who receive and send for them, and what these find out. */
export class ChannelAccounts {
  readonly #dependencies: Dependencies;
  readonly #cache: AccountCache;
  readonly #hearing: Hearing;

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies;
    this.#cache = new AccountCache({ clock: dependencies.clock, load: (id) => this.#load(id) });
    this.#hearing = new Hearing(dependencies.database);
  }

  /**
   * Also of one that is switched off; null where there is none, or its workspace is deleted. What this process changed
   * is seen at once, what another one changed within five seconds.
   */
  account(id: string): Promise<OpenedAccount | null> {
    return this.#cache.get(id);
  }

  /** It was changed. */
  forget(id: string): void {
    this.#cache.forget(id);
  }

  /** The platform was heard of: written every ten seconds at most. */
  heard(id: string, at: Date): Promise<void> {
    return this.#hearing.heard(id, at);
  }

  /** What is known of it now; `lastError` is shown to operators. */
  async setStatus(id: string, status: ChannelStatus, lastError: string | null): Promise<void> {
    const words = lastError === null ? null : storable(lastError);
    await this.#dependencies.database
      .updateTable('channel')
      .set({ status, last_error: words })
      .where('id', '=', id)
      .where(sql<boolean>`(status, last_error) is distinct from (${status}, ${words}::text)`)
      .execute();
  }

  /** What a listener kept last; null at first. */
  async cursor(id: string): Promise<Json> {
    const row = await this.#dependencies.database
      .selectFrom('channel')
      .select('cursor')
      .where('id', '=', id)
      .executeTakeFirst();
    return z.json().parse(row?.cursor ?? null);
  }

  async keepCursor(id: string, cursor: Json): Promise<void> {
    await this.#dependencies.database
      .updateTable('channel')
      .set({ cursor: JSON.stringify(cursor) })
      .where('id', '=', id)
      .execute();
  }

  async #load(id: string): Promise<OpenedAccount | null> {
    const row = await this.#dependencies.database
      .selectFrom('channel')
      .innerJoin('workspace', 'workspace.id', 'channel.workspace_id')
      .selectAll('channel')
      .where('channel.id', '=', id)
      .where('workspace.deleted_at', 'is', null)
      .executeTakeFirst();
    return row === undefined ? null : accountOf(row, this.#dependencies);
  }
}
