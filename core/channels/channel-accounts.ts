import { type Kysely, sql } from 'kysely';
import { LRUCache } from 'lru-cache';
import type { Clock } from '../clock.ts';
import type { Json } from '../contract/account.ts';
import type { Logger } from '../log.ts';
import type { Tables } from '../storage/tables/tables.ts';
import { storedJson, toStorableText } from '../text.ts';
import type { SecretBox } from '../workspaces/secret-box.ts';
import {
  type ChannelStatus,
  decryptAccount,
  type FindAccount,
  noneWhereUnreadable,
  type OpenedAccount,
  type TellUnreadable,
  UnreadableChannel,
} from './channel-account.ts';
import { ChannelActivity } from './channel-activity.ts';
import type { ConnectorRegistry } from './connector-registry.ts';
import { findParents, inheritFromParent } from './parent-channels.ts';

interface ChannelAccountsDependencies {
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
  readonly #dependencies: ChannelAccountsDependencies;
  readonly #cache: AccountCache;
  readonly #hearing: ChannelActivity;
  /** Channels whose platform refused our credentials when this process sent something, with its words. */
  readonly #refusals = new Map<string, string>();

  constructor(dependencies: ChannelAccountsDependencies) {
    this.#dependencies = dependencies;
    this.#cache = new AccountCache({ clock: dependencies.clock, load: (id) => this.#load(id) });
    this.#hearing = new ChannelActivity(dependencies.database);
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
    this.#cache.clear();
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
  recordActivity(id: string, at: Date): Promise<void> {
    return this.#hearing.record(id, at);
  }

  /** What is known of it now; `lastError` is shown to operators. */
  async setStatus(id: string, status: ChannelStatus, lastError: string | null): Promise<void> {
    const words = lastError === null ? null : toStorableText(lastError);
    await this.#dependencies.database
      .updateTable('channel')
      .set({ status, last_error: words })
      .where('id', '=', id)
      .where(sql<boolean>`(status, last_error) is distinct from (${status}, ${words}::text)`)
      .execute();
  }

  /** The platform refused the credentials themselves: no message gets through until that changes. */
  async noteRefusal(id: string, words: string): Promise<void> {
    this.#refusals.set(id, toStorableText(words));
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
    const words = notice === null ? null : toStorableText(notice);
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
      const own = decryptAccount(row, this.#dependencies);
      if (row.parent_id === null) return own;
      const parents = await findParents(this.#dependencies.urgent, [row], this.#dependencies);
      const parent = parents.get(row.parent_id)?.();
      return parent === undefined ? null : inheritFromParent(own, parent);
    } catch (error) {
      if (!(error instanceof UnreadableChannel)) throw error;
      this.#dependencies.tellUnreadable(error);
      // Of its parent it is no more readable than the parent itself.
      throw error.id === id ? error : new UnreadableChannel(row, error);
    }
  }
}

interface AccountCacheDependencies {
  readonly clock: Clock;
  readonly load: (id: string) => Promise<OpenedAccount | null>;
}

const ttl = 5_000;

/**
 * Accounts that were asked for a moment ago: a change that this process made is seen at once, one of another process
 * within five seconds. Who gets the same object twice need not read it again.
 */
class AccountCache {
  readonly #load: AccountCacheDependencies['load'];
  readonly #known: LRUCache<string, Promise<OpenedAccount | null>>;

  constructor({ clock, load }: AccountCacheDependencies) {
    this.#load = load;
    const perf = { now: () => clock.now().getTime() };
    this.#known = new LRUCache({ max: 1_000, ttl, ttlResolution: 0, perf });
  }

  get(id: string): Promise<OpenedAccount | null> {
    const known = this.#known.get(id);
    if (known !== undefined) return known;
    const loading = this.#load(id);
    this.#known.set(id, loading);
    // What is not there may be there soon, and anybody may ask for what never will be.
    const forget = () => {
      if (this.#known.peek(id) === loading) this.#known.delete(id);
    };
    loading.then((account) => account === null && forget(), forget);
    return loading;
  }

  clear(): void {
    this.#known.clear();
  }
}

interface NoteHeardDependencies {
  readonly channelAccounts: ChannelAccounts;
  readonly clock: Clock;
  readonly log: Pick<Logger, 'warn'>;
}

/** Keeps that a platform was heard of. Nobody waits for that, and what fails of it is made good by the next time. */
export function recordActivity(
  { channelAccounts, clock, log }: NoteHeardDependencies,
  channelId: string,
): void {
  channelAccounts.recordActivity(channelId, clock.now()).catch((err: unknown) => {
    log.warn({ err, channel: channelId }, 'that a platform was heard of could not be stored');
  });
}

/** Finds accounts that are in use. One that cannot be read is in none: what is to be done for it waits. */
export function createAccountFinder({
  channelAccounts,
  connectors,
}: {
  readonly channelAccounts: ChannelAccounts;
  readonly connectors: ConnectorRegistry;
}): FindAccount {
  return async (channelId) => {
    const account = await channelAccounts.account(channelId).catch(noneWhereUnreadable);
    const connector = account === null ? undefined : connectors.findConnector(account.channel);
    if (!account?.enabled || connector === undefined) return null;
    return { account, workspaceId: account.workspaceId, connector };
  };
}
