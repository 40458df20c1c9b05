import { isDeepStrictEqual } from 'node:util';
import { type Kysely, type Selectable, sql, type UpdateObject } from 'kysely';
import type { Clock } from '../base/clock.ts';
import { AppError } from '../base/errors.ts';
import { requireCredentialsForAddress } from '../base/fields.ts';
import { newId } from '../base/ids.ts';
import type { Logger } from '../base/log.ts';
import type { Page, PageRequest } from '../base/pagination.ts';
import type { AnyConnector } from '../contract/connector.ts';
import { widgetChannel } from '../contract/conversation-values.ts';
import type { WorkspaceAuthority } from '../members/authority.ts';
import type { SecretBox } from '../secrets/secret-box.ts';
import { newPublicToken, type Rotated, type Rotation } from '../secrets/secret-rotation.ts';
import { keysetPage } from '../storage/keyset-page.ts';
import { violatesConstraint } from '../storage/sql-errors.ts';
import type { ChannelTable } from '../storage/tables/channel-tables.ts';
import type { Tables } from '../storage/tables/tables.ts';
import { PlatformLink } from './accounts/account-link.ts';
import type { OpenedAccount } from './accounts/channel-account.ts';
import {
  buildWebhookUrl,
  decryptAccount,
  findIntake,
  newChannelSecret,
  sealedIn,
  type TellUnreadable,
  UnreadableChannel,
} from './accounts/channel-account.ts';
import type { ChannelAccounts } from './accounts/channel-accounts.ts';
import {
  auditedChange,
  type ChangedChannel,
  type ChannelChange,
  changedFields,
  type NewChannel,
  planFields,
  rotatePublicToken,
} from './accounts/channel-changes.ts';
import {
  findParent,
  inheritableFields,
  inheritFromParent,
  lendParent,
  requireInstallation,
  requireParent,
  requireShareable,
  requireTenant,
} from './accounts/parent-channels.ts';
import { parseCommonSettings, parseOwnFields } from './channel-settings.ts';
import { type ChannelView, viewChannels } from './channel-view.ts';
import type { ConnectorCalls } from './connector-calls.ts';
import type { ConnectorRegistry } from './connector-registry.ts';
import { requireConnector } from './connector-registry.ts';

interface Dependencies {
  readonly database: Kysely<Tables>;
  readonly clock: Clock;
  readonly log: Pick<Logger, 'warn'>;
  readonly secretBox: SecretBox;
  readonly tellUnreadable: TellUnreadable;
  readonly registry: ConnectorRegistry;
  readonly calls: ConnectorCalls;
  readonly accounts: ChannelAccounts;
  /** The public base URL of this installation. */
  readonly publicUrl: string | undefined;
}

/** The channels of workspaces, as operators manage them. */
export class Channels {
  readonly #dependencies: Dependencies;
  readonly #link: PlatformLink;

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies;
    this.#link = new PlatformLink(dependencies);
  }

  /**
   * Creates a channel. Below an app that another owner lends, only an installation or the operator's token does, because the team
   * is taken as proven. Throws `unknown_channel`, `unknown_parent`, `invalid_parent`, `tenancy_not_supported`,
   * `tenant_taken`, `slug_taken`, `invalid_credentials`, `invalid_settings`, `credentials_required` and `channel_verification_failed`. If the
   * platform accepts the credentials but not the webhook URL, the channel is created with the status `error`.
   */
  async create(authority: WorkspaceAuthority, input: NewChannel): Promise<ChannelView> {
    const { clock, secretBox, registry, publicUrl } = this.#dependencies;
    const { actor, scope } = authority;
    const { workspaceId } = scope;
    const connector = requireConnector(registry, input.channel);
    const { verify, enabled = input.enabled, own } = parseCommonSettings(input.settings);
    const { channel, name } = input;
    const id = newId('chan');
    const parent =
      input.parent === undefined
        ? null
        : await requireParent(this.#dependencies, { id: input.parent, connector, authority });
    if (parent?.sharing === 'lent') requireInstallation(authority, own);
    const inherited = inheritableFields(parent, connector);
    const sealed: OpenedAccount = {
      id,
      workspaceId,
      channel,
      enabled,
      ...parseOwnFields(connector, { credentials: input.credentials, settings: own }, inherited),
      secret: newChannelSecret(),
      webhookUrl: buildWebhookUrl(id, publicUrl),
      profile: {},
      parentId: input.parent ?? null,
    };
    const account = inheritFromParent(sealed, parent, connector) ?? sealed;
    if (parent !== null) {
      requireCredentialsForAddress({ before: inherited, after: account, given: input.credentials });
    }
    const tenant = parent === null ? null : requireTenant(connector, account);
    const profile = verify ? await this.#link.probe(connector, account) : {};
    const stored = await auditedChange(
      this.#dependencies,
      { workspaceId, id, actor, action: 'channel_created' },
      async (database) => {
        if (sealed.parentId !== null) {
          await lendParent(database, { parentId: sealed.parentId, ownerId: scope.ownerId });
        }
        return database
          .insertInto('channel')
          .values({
            id,
            workspace_id: workspaceId,
            channel,
            name,
            credentials_encrypted: secretBox.seal(
              JSON.stringify(sealed.credentials),
              sealedIn('credentials_encrypted', id),
            ),
            secret_encrypted: secretBox.seal(sealed.secret, sealedIn('secret_encrypted', id)),
            settings: JSON.stringify(sealed.settings),
            profile: JSON.stringify(profile),
            enabled,
            status: 'connecting',
            last_error: null,
            heard_at: null,
            cursor: null,
            parent_id: sealed.parentId,
            tenant,
            public_token: channel === widgetChannel ? newPublicToken() : null,
            created_at: clock.now(),
            verified_at: verify ? clock.now() : null,
          })
          .onConflict((conflict) => conflict.doNothing())
          .returning(['channel', 'name'])
          .executeTakeFirst();
      },
    );
    // Below a parent the tenant is the only unique column; otherwise it is the slug.
    if (stored === undefined) throw new AppError(parent === null ? 'slug_taken' : 'tenant_taken');
    // After the insert, because the platform may post as soon as the webhook is registered.
    await this.#connect(connector, { ...account, profile }, verify);
    return this.get(workspaceId, id);
  }

  /** Lists the channels of a workspace, newest first. Throws `invalid_cursor`. */
  async list(workspaceId: string, page: PageRequest): Promise<Page<ChannelView>> {
    const query = this.#dependencies.database
      .selectFrom('channel')
      .selectAll()
      .where('workspace_id', '=', workspaceId);
    const order = { list: `channels ${workspaceId}`, latest: 'created_at' } as const;
    const { items, nextCursor } = await keysetPage(query, order, page);
    return { items: await viewChannels(items, this.#dependencies), nextCursor };
  }

  /** Returns the channels of all workspaces, oldest first. */
  async all(): Promise<readonly ChannelView[]> {
    const rows = await this.#dependencies.database
      .selectFrom('channel')
      .innerJoin('workspace', 'workspace.id', 'channel.workspace_id')
      .selectAll('channel')
      .where('workspace.deleted_at', 'is', null)
      .orderBy('channel.created_at')
      .orderBy('channel.id')
      .execute();
    return viewChannels(rows, this.#dependencies);
  }

  /** Throws `channel_not_found`. */
  async get(workspaceId: string, id: string): Promise<ChannelView> {
    const [view] = await viewChannels([await this.#find(workspaceId, id)], this.#dependencies);
    if (view === undefined) throw new AppError('channel_not_found');
    return view;
  }

  /**
   * Changes at least one field. Throws the errors of `create`, and `channel_not_found`; in all cases nothing is changed.
   */
  async change(
    { actor, scope: { workspaceId } }: WorkspaceAuthority,
    id: string,
    change: ChannelChange,
  ): Promise<ChannelView> {
    const row = await this.#find(workspaceId, id);
    const changed = { workspaceId, id, actor, fields: changedFields(change) };
    const { verify, enabled = change.enabled, own } = parseCommonSettings(change.settings ?? {});
    const plain = {
      ...(change.name !== undefined && { name: change.name }),
      ...(enabled !== undefined && { enabled }),
      ...(change.shareableWith !== undefined && {
        shareable_with: requireShareable(
          requireConnector(this.#dependencies.registry, row.channel),
          row,
          change.shareableWith,
        ),
      }),
    };
    if (change.credentials === undefined && Object.keys(own).length === 0) {
      await this.#update(changed, plain);
      return this.get(workspaceId, id);
    }
    const { registry, secretBox } = this.#dependencies;
    const connector = requireConnector(registry, row.channel);
    const opened = this.#open(row);
    const given = { credentials: change.credentials ?? {}, settings: own };
    const { before, ownAfter, after } = await planFields(this.#dependencies, {
      ...{ row, opened, connector, given },
    });
    const hasNewCredentials = !isDeepStrictEqual(after.credentials, before.credentials);
    const profile = verify
      ? await this.#link.probe(connector, after)
      : hasNewCredentials
        ? {}
        : before.profile;
    await this.#update(changed, {
      ...plain,
      ...(verify
        ? { verified_at: this.#dependencies.clock.now() }
        : hasNewCredentials && { verified_at: null }),
      credentials_encrypted: secretBox.seal(
        JSON.stringify(ownAfter.credentials),
        sealedIn('credentials_encrypted', id),
      ),
      ...(opened === null && {
        secret_encrypted: secretBox.seal(ownAfter.secret, sealedIn('secret_encrypted', id)),
      }),
      revision: sql<number>`revision + 1`,
      settings: JSON.stringify(ownAfter.settings),
      profile: JSON.stringify(profile),
      status: 'connecting',
      last_error: null,
      ...(hasNewCredentials && { cursor: null }),
    });
    if (opened !== null && (hasNewCredentials || findIntake(connector, after) !== 'webhook')) {
      await this.#link.unregisterWebhook(connector, before);
    }
    await this.#connect(connector, { ...after, profile }, verify);
    return this.get(workspaceId, id);
  }

  /**
   * Asks the platform again whether it accepts the account, and registers the webhook anew. A refusal is stored as the
   * channel's error. Throws `channel_not_found`.
   */
  async check(workspaceId: string, id: string): Promise<ChannelView> {
    const { database, registry, accounts, clock } = this.#dependencies;
    const row = await this.#find(workspaceId, id);
    const opened = this.#open(row);
    if (opened === null) return this.get(workspaceId, id);
    const connector = requireConnector(registry, row.channel);
    const account = inheritFromParent(opened, await findParent(this.#dependencies, row), connector);
    if (account === null) return this.get(workspaceId, id);
    try {
      const profile = await this.#link.probe(connector, account);
      await database
        .updateTable('channel')
        .set({ profile: JSON.stringify(profile), verified_at: clock.now() })
        .where('id', '=', id)
        .where('workspace_id', '=', workspaceId)
        .execute();
      await this.#connect(connector, { ...account, profile }, true);
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'channel_verification_failed') throw error;
      await accounts.noteRefusal(id, error.message);
    }
    accounts.forget();
    return this.get(workspaceId, id);
  }

  /**
   * Replaces a widget's public token. Both tokens are valid until the grace period ends. Throws `channel_not_found`, and
   * `no_public_token` for channels of other kinds.
   */
  rotatePublicToken(workspaceId: string, id: string, rotation: Rotation): Promise<Rotated> {
    return rotatePublicToken(this.#dependencies, { workspaceId, id }, rotation);
  }

  /** Deletes a channel with its unanswered events. Throws `channel_not_found`. */
  async delete({ actor, scope: { workspaceId } }: WorkspaceAuthority, id: string): Promise<void> {
    const { accounts } = this.#dependencies;
    const row = await auditedChange(
      this.#dependencies,
      { workspaceId, id, actor, action: 'channel_deleted' },
      (database) =>
        database
          .deleteFrom('channel')
          .where('workspace_id', '=', workspaceId)
          .where('id', '=', id)
          .returningAll()
          .executeTakeFirst(),
    );
    accounts.forget();
    if (row === undefined) throw new AppError('channel_not_found');
    await this.#unregister(row);
  }

  /** Removes the webhook registrations of a deleted workspace's channels. Their rows are deleted with the workspace. */
  async retireAll(workspaceId: string): Promise<void> {
    const { database, accounts } = this.#dependencies;
    const rows = await database
      .selectFrom('channel')
      .selectAll()
      .where('workspace_id', '=', workspaceId)
      .execute();
    for (const row of rows) {
      accounts.forget();
      await this.#unregister(row);
    }
  }

  async #unregister(row: Selectable<ChannelTable>): Promise<void> {
    const connector = this.#dependencies.registry.findConnector(row.channel);
    const account = this.#open(row);
    if (connector !== undefined && account !== null) await this.#link.unregisterWebhook(connector, account);
  }

  /** Returns null if the row is unreadable. */
  #open(row: Selectable<ChannelTable>): OpenedAccount | null {
    try {
      return decryptAccount(row, this.#dependencies);
    } catch (error) {
      if (!(error instanceof UnreadableChannel)) throw error;
      this.#dependencies.tellUnreadable(error);
      return null;
    }
  }

  async #connect(connector: AnyConnector, account: OpenedAccount, isVerified: boolean): Promise<void> {
    const { status, lastError } = (await this.#link.registerWebhook(connector, account)) ?? {
      status: isVerified ? 'connected' : 'connecting',
      lastError: null,
    };
    await this.#dependencies.accounts.setStatus(account.id, status, lastError);
    await this.#link.prepare(connector, account);
  }

  async #update(changed: ChangedChannel, values: UpdateObject<Tables, 'channel'>): Promise<void> {
    if (Object.keys(values).length === 0) return;
    const { workspaceId, id } = changed;
    const row = await auditedChange(
      this.#dependencies,
      { ...changed, action: 'channel_changed' },
      (database) =>
        database
          .updateTable('channel')
          .set(values)
          .where('workspace_id', '=', workspaceId)
          .where('id', '=', id)
          .returning(['channel', 'name'])
          .executeTakeFirst(),
    ).catch(rethrowSlugTaken);
    this.#dependencies.accounts.forget();
    if (row === undefined) throw new AppError('channel_not_found');
  }

  async #find(workspaceId: string, id: string): Promise<Selectable<ChannelTable>> {
    const row = await this.#dependencies.database
      .selectFrom('channel')
      .selectAll()
      .where('workspace_id', '=', workspaceId)
      .where('id', '=', id)
      .executeTakeFirst();
    if (row === undefined) throw new AppError('channel_not_found');
    return row;
  }
}

function rethrowSlugTaken(error: unknown): never {
  throw violatesConstraint(error, 'channel_slug') ? new AppError('slug_taken', { cause: error }) : error;
}
