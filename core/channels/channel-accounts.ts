import { type Kysely, sql } from 'kysely';
import type { Clock } from '../clock.ts';
import type { Json } from '../contract/json.ts';
import { storable } from '../storable.ts';
import { storedJson } from '../storage/stored-json.ts';
import type { Tables } from '../storage/tables.ts';
import type { SecretBox } from '../workspaces/secret-box.ts';
import { AccountCache } from './account-cache.ts';
import { accountOf, type TellUnreadable, UnreadableChannel } from './account-of.ts';
import type { ChannelStatus } from './channel-record.ts';
import { findParents } from './find-parents.ts';
import { Hearing } from './hearing.ts';
import type { OpenedAccount } from './opened-account.ts';
import { underParent } from './under-parent.ts';

interface Dependencies {
  readonly database: Kysely<Tables>;
  /** For what has to be known before a platform is acknowledged. */
  readonly urgent: Kysely<Tables>;
  readonly clock: Clock;
  readonly secretBox: SecretBox;
  readonly tellUnreadable: TellUnreadable;
  /** Where the world reaches this installation. */
  readonly publicUrl: string | undefined;
}

/** Channels as those need them who receive and send for them, and what these find out. */
export class ChannelAccounts {
  readonly #dependencies: Dependencies;
  readonly #cache: AccountCache;
  readonly #hearing: Hearing;
  /** Channels whose platform refused our credentials when this process sent something, with its words. */
  readonly #refusals = new Map<string, string>();

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies;
    this.#cache = new AccountCache({ clock: dependencies.clock, load: (id) => this.#load(id) });
    this.#hearing = new Hearing(dependencies.database);
  }

  /**
   * Also of one that is switched off; null where there is none, or its workspace is deleted. What this process changed
   * is seen at once, what another one changed within five seconds. Rejects with an UnreadableChannel.
   */
  account(id: string): Promise<OpenedAccount | null> {
    return this.#cache.get(id);
  }

  /** One was changed, and with it those that are under it. */
  forget(): void {
    this.#cache.forget();
  }

  /** The channels under one that are these tenants', by tenant: also those that are switched off. */
  async children(id: string, tenants: readonly string[]): Promise<ReadonlyMap<string, string>> {
    if (tenants.length === 0) return new Map();
    const rows = await this.#dependencies.urgent
      .selectFrom('channel')
      .select(['id', 'tenant'])
      .where('parent_id', '=', id)
      .where('tenant', 'in', [...tenants])
      .execute();
    return new Map(rows.map((row) => [row.tenant ?? '', row.id]));
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

  /** The platform refused the credentials themselves: no message gets through until that changes. */
  async noteRefusal(id: string, words: string): Promise<void> {
    this.#refusals.set(id, storable(words));
    await this.setStatus(id, 'error', words);
  }

  /** The platform took a message: what it refused before is over. Other errors stay. */
  async noteSent(id: string): Promise<void> {
    const refusal = this.#refusals.get(id);
    if (refusal === undefined) return;
    this.#refusals.delete(id);
    await this.#dependencies.database
      .updateTable('channel')
      .set({ status: 'connected', last_error: null })
      .where('id', '=', id)
      .where('status', '=', 'error')
      .where('last_error', '=', refusal)
      .execute();
  }

  /** It goes on as it was: what went wrong beside that, and is shown, stays. `notice` is shown to operators. */
  async keepConnected(id: string, notice: string | null): Promise<void> {
    const words = notice === null ? null : storable(notice);
    await this.#dependencies.database
      .updateTable('channel')
      .set({ status: 'connected', last_error: words })
      .where('id', '=', id)
      .where('status', '<>', 'error')
      .where(sql<boolean>`(status, last_error) is distinct from ('connected', ${words}::text)`)
      .execute();
  }

  /** What a listener kept last; null at first. */
  async cursor(id: string): Promise<Json> {
    const row = await this.#dependencies.database
      .selectFrom('channel')
      .select('cursor')
      .where('id', '=', id)
      .executeTakeFirst();
    return storedJson.parse(row?.cursor ?? null);
  }

  async keepCursor(id: string, cursor: Json): Promise<void> {
    await this.#dependencies.database
      .updateTable('channel')
      .set({ cursor: JSON.stringify(cursor) })
      .where('id', '=', id)
      .execute();
  }

  async #load(id: string): Promise<OpenedAccount | null> {
    const row = await this.#dependencies.urgent
      .selectFrom('channel')
      .innerJoin('workspace', 'workspace.id', 'channel.workspace_id')
      .selectAll('channel')
      .where('channel.id', '=', id)
      .where('workspace.deleted_at', 'is', null)
      .executeTakeFirst();
    if (row === undefined) return null;
    try {
      const own = accountOf(row, this.#dependencies);
      if (row.parent_id === null) return own;
      const parents = await findParents(this.#dependencies.urgent, [row], this.#dependencies);
      const parent = parents.get(row.parent_id)?.();
      return parent === undefined ? null : underParent(own, parent);
    } catch (error) {
      if (!(error instanceof UnreadableChannel)) throw error;
      this.#dependencies.tellUnreadable(error);
      // Of its parent it is no more readable than the parent itself.
      throw error.id === id ? error : new UnreadableChannel(row, error);
    }
  }
}
