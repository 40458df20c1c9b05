import { type Kysely, sql } from 'kysely';
import { LRUCache } from 'lru-cache';
import type { Clock } from '../../base/clock.ts';
import type { Logger } from '../../base/log.ts';
import { storedJson, toStorableText } from '../../base/text.ts';
import type { Json } from '../../contract/account.ts';
import type { SecretBox } from '../../secrets/secret-box.ts';
import type { Tables } from '../../storage/tables/tables.ts';
import type { ConnectorRegistry } from '../connector-registry.ts';
import {
  type ChannelStatus,
  decryptAccount,
  type FindAccount,
  noneWhereUnreadable,
  type OpenedAccount,
  type TellUnreadable,
  UnreadableChannel,
} from './channel-account.ts';
import { ChannelActivity, recordRefusal } from './channel-activity.ts';
import { EVERY_OWNER, findParents, inheritFromParent } from './parent-channels.ts';

interface ChannelAccountsDependencies {
  readonly database: Kysely<Tables>;
  /** A separate pool, for queries that must finish before a webhook is acknowledged. */
  readonly urgent: Kysely<Tables>;
  readonly clock: Clock;
  readonly secretBox: SecretBox;
  readonly tellUnreadable: TellUnreadable;
  readonly registry: Pick<ConnectorRegistry, 'findConnector'>;
  /** The public base URL of this installation. */
  readonly publicUrl: string | undefined;
}

/** The accounts as receiving and sending code needs them, and the state that this code reports. */
export class ChannelAccounts {
  readonly #dependencies: ChannelAccountsDependencies;
  readonly #cache: AccountCache;
  readonly #activity: ChannelActivity;
  /** Channels whose credentials the platform refused in this process, with the platform's message. */
  readonly #refusals = new Map<string, string>();

  constructor(dependencies: ChannelAccountsDependencies) {
    this.#dependencies = dependencies;
    this.#cache = new AccountCache({ clock: dependencies.clock, load: (id) => this.#load(id) });
    this.#activity = new ChannelActivity(dependencies.database);
  }

  /**
   * Returns an account, also a disabled one; null if it does not exist or its workspace is deleted. Changes by this
   * process are visible at once, those by other processes within five seconds. Rejects with an `UnreadableChannel`.
   */
  account(id: string): Promise<OpenedAccount | null> {
    return this.#cache.get(id);
  }

  /** Drops all cached accounts after a change, because children of the changed channel are cached with its fields. */
  forget(): void {
    this.#cache.clear();
  }

  /**
   * Returns the ids of a parent's channels for these tenants, by tenant, including disabled ones, but without those of owners that
   * the parent is not lent to: they hear nothing.
   */
  async children(id: string, tenants: readonly string[]): Promise<ReadonlyMap<string, string>> {
    if (tenants.length === 0) return new Map();
    const rows = await this.#dependencies.urgent
      .selectFrom('channel')
      .innerJoin('workspace', 'workspace.id', 'channel.workspace_id')
      .innerJoin('channel as parent', 'parent.id', 'channel.parent_id')
      .innerJoin('workspace as lender', 'lender.id', 'parent.workspace_id')
      .select(['channel.id', 'channel.tenant'])
      .where('channel.parent_id', '=', id)
      .where('channel.tenant', 'in', [...tenants])
      .where(
        sql<boolean>`(lender.owner_id = workspace.owner_id
          or parent.shareable_with && array[workspace.owner_id, ${EVERY_OWNER}])`,
      )
      .execute();
    return new Map(rows.map((row) => [row.tenant ?? '', row.id]));
  }

  /** Records activity of the platform. It writes at most every ten seconds. */
  recordActivity(id: string, at: Date): Promise<void> {
    return this.#activity.record(id, at);
  }

  /** Records a request whose signature is wrong. It writes at most every ten seconds. */
  recordRefusal(id: string, at: Date): Promise<void> {
    return recordRefusal(this.#dependencies.database, id, at);
  }

  /** Stores the status. Operators see `lastError`. */
  async setStatus(id: string, status: ChannelStatus, lastError: string | null): Promise<void> {
    const message = lastError === null ? null : toStorableText(lastError);
    await this.#dependencies.database
      .updateTable('channel')
      .set({ status, last_error: message })
      .where('id', '=', id)
      .where(sql<boolean>`(status, last_error) is distinct from (${status}, ${message}::text)`)
      .execute();
  }

  /** Records that the platform refused the credentials. No message can be sent until they are changed. */
  async noteRefusal(id: string, message: string): Promise<void> {
    const shown = toStorableText(message);
    this.#refusals.set(id, shown);
    await this.#dependencies.database
      .updateTable('channel')
      .set({ status: 'error', last_error: shown, verified_at: null })
      .where('id', '=', id)
      .where(sql<boolean>`(status, last_error) is distinct from ('error', ${shown}::text)`)
      .execute();
  }

  /** Records that the platform accepted a message, which ends an earlier refusal. Other errors stay. */
  async noteSent(id: string): Promise<void> {
    const refusal = this.#refusals.get(id);
    if (refusal === undefined) return;
    this.#refusals.delete(id);
    await this.#dependencies.database
      .updateTable('channel')
      .set({ status: 'connected', last_error: null, verified_at: this.#dependencies.clock.now() })
      .where('id', '=', id)
      .where('status', '=', 'error')
      .where('last_error', '=', refusal)
      .execute();
  }

  /** Records that the connection works. An unrelated error that is shown stays. Operators see `notice`. */
  async keepConnected(id: string, notice: string | null): Promise<void> {
    const message = notice === null ? null : toStorableText(notice);
    await this.#dependencies.database
      .updateTable('channel')
      .set({ status: 'connected', last_error: message })
      .where('id', '=', id)
      .where('status', '<>', 'error')
      .where(sql<boolean>`(status, last_error) is distinct from ('connected', ${message}::text)`)
      .execute();
  }

  /** Returns the listener's stored cursor; null before the first. */
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
      const findParent = await findParents(this.#dependencies.urgent, [row], this.#dependencies);
      const parent = findParent(row);
      const connector = this.#dependencies.registry.findConnector(row.channel);
      return parent === null ? null : inheritFromParent(own, parent, connector);
    } catch (error) {
      if (!(error instanceof UnreadableChannel)) throw error;
      this.#dependencies.tellUnreadable(error);
      // If the parent is unreadable, so is the child.
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
 * Caches accounts for five seconds. Changes by this process are visible at once, those by other processes when the entry
 * expires. Callers can compare objects by identity to detect an unchanged account.
 */
class AccountCache {
  readonly #load: AccountCacheDependencies['load'];
  readonly #cached: LRUCache<string, Promise<OpenedAccount | null>>;

  constructor({ clock, load }: AccountCacheDependencies) {
    this.#load = load;
    const perf = { now: () => clock.now().getTime() };
    this.#cached = new LRUCache({ max: 1_000, ttl, ttlResolution: 0, perf });
  }

  get(id: string): Promise<OpenedAccount | null> {
    const cached = this.#cached.get(id);
    if (cached !== undefined) return cached;
    const loading = this.#load(id);
    this.#cached.set(id, loading);
    // Failures and missing accounts are not cached: an account may be created at any moment, and requests with made-up
    // ids would fill the cache.
    const forget = () => {
      if (this.#cached.peek(id) === loading) this.#cached.delete(id);
    };
    loading.then((account) => account === null && forget(), forget);
    return loading;
  }

  clear(): void {
    this.#cached.clear();
  }
}

interface ActivityDependencies {
  readonly channelAccounts: ChannelAccounts;
  readonly clock: Clock;
  readonly log: Pick<Logger, 'warn'>;
}

/** Records activity of a platform in the background. A failed write is repeated by the next activity. */
export function recordActivity(
  { channelAccounts, clock, log }: ActivityDependencies,
  channelId: string,
): void {
  channelAccounts.recordActivity(channelId, clock.now()).catch((err: unknown) => {
    log.warn({ err, channel: channelId }, 'storing channel activity failed');
  });
}

/** Returns a function that finds accounts in use. Unreadable accounts count as not in use, so their work waits. */
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
