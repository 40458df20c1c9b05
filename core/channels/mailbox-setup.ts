import { AppError } from '../base/errors.ts';
import type { Fields } from '../base/fields.ts';
import { newId } from '../base/ids.ts';
import type { Tools } from '../contract/account.ts';
import { ConnectorError } from '../contract/connector-error.ts';
import type { DnsRecords, FoundServers, ServerCheck, WantedMailbox } from '../contract/mail/mailbox-setup.ts';
import type { OpenedAccount } from './accounts/channel-account.ts';
import { parseOwnFields } from './channel-settings.ts';
import type { ConnectorCalls } from './connector-calls.ts';
import type { ConnectorRegistry } from './connector-registry.ts';

interface Dependencies {
  readonly registry: ConnectorRegistry;
  readonly calls: ConnectorCalls;
  readonly dns: DnsRecords;
}

interface TriedMailbox {
  readonly workspaceId: string;
  readonly credentials: Fields;
  readonly settings: Fields;
}

/** Finds the servers of a mailbox and tries its logins before a channel is added. Nothing is stored. */
export class MailboxSetup {
  readonly #dependencies: Dependencies;

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies;
  }

  /** Returns the servers of an address. Throws `unknown_channel` if no kind of channel is a mailbox. */
  async findServers(workspaceId: string, wanted: WantedMailbox): Promise<FoundServers> {
    const { dns } = this.#dependencies;
    const { manifest, findServers } = this.#mailboxKind();
    const account = this.#unstored(manifest.channel, { workspaceId, credentials: {}, settings: {} });
    return this.#call(account, (tools) => findServers(wanted, { ...tools, dns }));
  }

  /** Signs in to each server. Throws `unknown_channel`, `invalid_credentials` and `invalid_settings`. */
  async check(mailbox: TriedMailbox): Promise<readonly ServerCheck[]> {
    const connector = this.#mailboxKind();
    const fields = parseOwnFields(connector, mailbox, { credentials: {}, settings: {} });
    const account = this.#unstored(connector.manifest.channel, { ...mailbox, ...fields });
    const channel = connector.open(account);
    return this.#call(account, async (tools) => (await channel.checkServers?.(tools)) ?? []);
  }

  #mailboxKind() {
    for (const connector of this.#dependencies.registry.connectors) {
      const { findServers } = connector;
      if (findServers !== undefined) return { ...connector, findServers };
    }
    throw new AppError('unknown_channel');
  }

  #unstored(channel: string, { workspaceId, credentials, settings }: TriedMailbox): OpenedAccount {
    return {
      id: newId('chan'),
      ...{ workspaceId, channel, credentials, settings },
      enabled: false,
      secret: '',
      webhookUrl: null,
      profile: {},
      parentId: null,
    };
  }

  /** A failure that is no result of the search or of a login is told as the refusal of a channel is. */
  async #call<Result>(account: OpenedAccount, use: (tools: Tools) => Promise<Result>): Promise<Result> {
    try {
      return await this.#dependencies.calls.call(account, use);
    } catch (error) {
      if (!(error instanceof ConnectorError)) throw error;
      throw new AppError('channel_verification_failed', { detail: error.message });
    }
  }
}
