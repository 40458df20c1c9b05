import { isDeepStrictEqual } from 'node:util';
import type { Kysely } from 'kysely';
import type { Clock } from '../base/clock.ts';
import { AppError } from '../base/errors.ts';
import { type Fields, toFields } from '../base/fields.ts';
import { toStorableText } from '../base/text.ts';
import { ConnectorError } from '../contract/connector-error.ts';
import type { Tenancy } from '../contract/facets.ts';
import { Authority, type WorkspaceAuthority } from '../members/authority.ts';
import type { Tables } from '../storage/tables/tables.ts';
import type { AccountKeys, OpenedAccount } from './accounts/channel-account.ts';
import type { ChannelAccounts } from './accounts/channel-accounts.ts';
import { findParent, findUsableParent, lendParent } from './accounts/parent-channels.ts';
import type { ChannelView } from './channel-view.ts';
import type { Channels } from './channels.ts';
import type { ConnectorCalls } from './connector-calls.ts';
import { createSecretMask } from './connector-calls.ts';
import type { ConnectorRegistry } from './connector-registry.ts';
import { requireConnector } from './connector-registry.ts';
import { InstallLinks, readInstallState, writeInstallState } from './install-links.ts';

interface Dependencies extends AccountKeys {
  readonly database: Kysely<Tables>;
  readonly clock: Clock;
  readonly registry: ConnectorRegistry;
  readonly calls: ConnectorCalls;
  readonly accounts: ChannelAccounts;
  readonly channels: Channels;
}

/** The parameters of the platform's OAuth redirect. */
interface InstallReturn {
  readonly state: string;
  /** Null if the platform returned no code. */
  readonly code: string | null;
  /** The platform's error code; null if access was granted. */
  readonly refusal: string | null;
  /** The value of the browser's cookie; null if there is none. */
  readonly browser: string | null;
}

interface Grant {
  readonly tenant: string;
  readonly name: string;
  readonly credentials: Fields;
  readonly settings: Fields;
}

const maxNameChars = 200;

type OAuth = NonNullable<Tenancy['oauth']>;

interface Installable {
  readonly account: OpenedAccount;
  readonly oauth: OAuth;
}

/** Installs a channel's app in the teams of customers, each for a workspace. */
export class Installs {
  readonly #dependencies: Dependencies;
  readonly #links: InstallLinks;

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies;
    this.#links = new InstallLinks(dependencies);
  }

  /**
   * Creates an installation link for a workspace, which may differ from the channel's if the caller may use the channel as a
   * parent. Throws `channel_not_found`, `tenancy_not_supported`, `invalid_parent`, `no_public_address` and `app_not_installable`.
   */
  async createLink(
    authority: WorkspaceAuthority,
    channelId: string,
  ): Promise<{ url: string; expiresAt: Date }> {
    const { database } = this.#dependencies;
    const { workspaceId, ownerId } = authority.scope;
    await this.#requireUsable(authority, channelId);
    const address = this.#address();
    const { account, oauth } = await this.#open(channelId);
    if (account.parentId !== null) throw new AppError('invalid_parent');
    // An incomplete app fails here, because the operator who creates a link can fix the channel and the visitor who
    // opens it cannot.
    this.#authoriseUrl({ account, oauth }, '');
    await lendParent(database, { parentId: channelId, ownerId });
    const { token, expiresAt } = await this.#links.create({ channelId, workspaceId });
    return { url: `${address}/${token}`, expiresAt };
  }

  /**
   * Returns the platform's authorisation URL for a person who opened a link in this browser. Throws
   * `install_link_not_found`, and `app_not_installable` if the channel lacks required fields.
   */
  async begin(token: string, browser: string): Promise<string> {
    const { channelId } = await this.#links.find(token);
    const { account, oauth } = await this.#open(channelId);
    const state = writeInstallState(token, browser);
    return this.#authoriseUrl({ account, oauth }, state);
  }

  /**
   * Creates or renews the channel of the team that granted access. Throws `install_link_not_found`,
   * `install_in_other_browser`, `install_declined`, `tenant_taken` if the team belongs to another workspace, and
   * `channel_verification_failed` with the platform's message.
   */
  async finish({ state, code, refusal, browser }: InstallReturn): Promise<ChannelView> {
    const { link: token, isSameBrowser } = readInstallState(state, browser);
    await this.#links.find(token);
    if (!isSameBrowser) throw new AppError('install_in_other_browser');
    if (code === null) throw declined(refusal);
    const link = await this.#links.use(token);
    try {
      const authority = await this.#requireLent(link.workspaceId, link.channelId);
      const { account, oauth } = await this.#open(link.channelId);
      const granted = await this.#exchange(oauth, account, code);
      return await this.#store(authority, account, granted);
    } catch (error) {
      await this.#links.release(token);
      throw error;
    }
  }

  #authoriseUrl({ account, oauth }: Installable, state: string): string {
    try {
      return oauth.authoriseUrl({ redirectUrl: this.#redirectUrl(), state });
    } catch (error) {
      if (!(error instanceof ConnectorError)) throw error;
      throw new AppError('app_not_installable', { detail: createSecretMask(account)(error.message) });
    }
  }

  async #exchange(oauth: OAuth, account: OpenedAccount, code: string): Promise<Grant> {
    try {
      const grant = { code, redirectUrl: this.#redirectUrl() };
      const granted = await this.#dependencies.calls.call(account, (tools) => oauth.exchange(grant, tools));
      return {
        ...granted,
        credentials: withoutInherited(granted.credentials, account.credentials),
        settings: withoutInherited(granted.settings, account.settings),
      };
    } catch (error) {
      if (!(error instanceof ConnectorError)) throw error;
      throw new AppError('channel_verification_failed', { detail: error.message });
    }
  }

  async #store(authority: WorkspaceAuthority, parent: OpenedAccount, granted: Grant): Promise<ChannelView> {
    const { channels } = this.#dependencies;
    const { credentials, settings } = granted;
    const name = toStorableText(granted.name.slice(0, maxNameChars));
    const renewed = await this.#renew(authority, parent, granted);
    if (renewed !== null) return renewed;
    const input = { channel: parent.channel, name, credentials, settings, enabled: true, parent: parent.id };
    try {
      return await channels.create(authority, input);
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'tenant_taken') throw error;
      // Another person of the same team finished a moment earlier.
      const raced = await this.#renew(authority, parent, granted);
      if (raced === null) throw error;
      return raced;
    }
  }

  /** Returns null if the team has no channel yet. */
  async #renew(
    authority: WorkspaceAuthority,
    parent: OpenedAccount,
    { tenant, credentials, settings }: Grant,
  ): Promise<ChannelView | null> {
    const { database, channels } = this.#dependencies;
    const child = await database
      .selectFrom('channel')
      .select(['id', 'workspace_id'])
      .where('parent_id', '=', parent.id)
      .where('tenant', '=', tenant)
      .executeTakeFirst();
    if (child === undefined) return null;
    if (child.workspace_id !== authority.scope.workspaceId) throw new AppError('tenant_taken');
    return channels.change(authority, child.id, { credentials, settings });
  }

  /** A channel that the caller may not use as a parent does not exist for them. Throws `channel_not_found`. */
  async #requireUsable(authority: WorkspaceAuthority, id: string): Promise<void> {
    const parent = await findUsableParent(this.#dependencies, { id, authority });
    if (parent === null) throw new AppError('channel_not_found');
  }

  /**
   * Returns the authority of an installation, which the person who creates its link had the right to. Throws
   * `install_link_not_found` if the app was lent to the owner of the workspace then, and is not any more.
   */
  async #requireLent(workspaceId: string, channelId: string): Promise<WorkspaceAuthority> {
    const { database } = this.#dependencies;
    const row = await database
      .selectFrom('workspace')
      .select(['id', 'owner_id'])
      .where('id', '=', workspaceId)
      .executeTakeFirst();
    const child = { parent_id: channelId, workspace_id: workspaceId };
    const parent = await findParent(this.#dependencies, child);
    if (row === undefined || parent === null || parent.sharing === 'refused') {
      throw new AppError('install_link_not_found');
    }
    return Authority.operator({ id: row.id, owner: row.owner_id });
  }

  /** Throws `channel_not_found` and `tenancy_not_supported`. */
  async #open(channelId: string): Promise<Installable> {
    const { accounts, registry } = this.#dependencies;
    const account = await accounts.account(channelId);
    if (account === null) throw new AppError('channel_not_found');
    const oauth = requireConnector(registry, account.channel).open(account).tenancy?.oauth ?? null;
    if (oauth === null) throw new AppError('tenancy_not_supported');
    return { account, oauth };
  }

  #redirectUrl(): string {
    return `${this.#address()}/callback`;
  }

  #address(): string {
    const { publicUrl } = this.#dependencies;
    if (publicUrl === undefined) throw new AppError('no_public_address');
    return `${publicUrl}/install`;
  }
}

/** Drops fields that equal the parent's. They are stored only there, so that they change together with the parent. */
function withoutInherited(granted: unknown, inherited: unknown): Fields {
  const before = toFields(inherited);
  const fields = Object.entries(toFields(granted));
  return Object.fromEntries(fields.filter(([name, value]) => !isDeepStrictEqual(value, before[name])));
}

/** Shows the platform's error code only if it looks like one, because the redirect's query could contain any text. */
function declined(refusal: string | null): AppError {
  const isName = refusal !== null && /^\w{1,60}$/.test(refusal);
  return new AppError('install_declined', isName ? { detail: `The platform reported: ${refusal}.` } : {});
}
