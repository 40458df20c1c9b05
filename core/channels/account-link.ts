import type { Json } from '../contract/account.ts';
import type { AnyConnector } from '../contract/connector.ts';
import { ConnectorError } from '../contract/connector-error.ts';
import { AppError } from '../errors.ts';
import type { Logger } from '../log.ts';
import { toStorableText } from '../text.ts';
import type { ChannelStatus, OpenedAccount } from './channel-account.ts';
import { findIntake } from './channel-account.ts';
import type { ConnectorCalls } from './connector-calls.ts';

interface Dependencies {
  readonly calls: ConnectorCalls;
  readonly log: Pick<Logger, 'warn'>;
}

interface LinkState {
  readonly status: ChannelStatus;
  readonly lastError: string | null;
}

/** What is done on the platform when an account is added, changed or removed. */
export class PlatformLink {
  readonly #dependencies: Dependencies;

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies;
  }

  /** Who the account is there. Throws `channel_verification_failed` with the platform's own words. */
  async probe(connector: AnyConnector, account: OpenedAccount): Promise<Readonly<Record<string, Json>>> {
    try {
      return await this.#dependencies.calls.call(account, (tools) => connector.probe(account, tools));
    } catch (error) {
      if (!(error instanceof ConnectorError)) throw error;
      throw new AppError('channel_verification_failed', { detail: error.message });
    }
  }

  /** Tells the platform where to post, where it has to be told; null where it has not. */
  async registerWebhook(connector: AnyConnector, account: OpenedAccount): Promise<LinkState | null> {
    const { registerWebhook: enrol } = connector.facets;
    if (enrol === undefined || findIntake(connector, account) !== 'webhook') return null;
    if (account.webhookUrl === null) {
      return { status: 'error', lastError: 'PUBLIC_URL is absent: the platform has no address to post to.' };
    }
    const fault = await this.#faultOf(account, (tools) => enrol(account, tools));
    return fault === null
      ? { status: 'connected', lastError: null }
      : { status: 'error', lastError: toStorableText(fault.message) };
  }

  /** Registers what the account does not need to work. */
  async prepare(connector: AnyConnector, account: OpenedAccount): Promise<void> {
    const { prepare } = connector.facets;
    if (prepare === undefined) return;
    const fault = await this.#faultOf(account, (tools) => prepare(account, tools));
    if (fault === null) return;
    const told = { channel: account.id, because: fault.message };
    this.#dependencies.log.warn(told, 'a channel works, but could not be prepared to the full');
  }

  /** Ends that. Nothing waits for its success: the platform may be gone. */
  async unregisterWebhook(connector: AnyConnector, account: OpenedAccount): Promise<void> {
    const { unregisterWebhook: retire } = connector.facets;
    if (retire === undefined || findIntake(connector, account) !== 'webhook') return;
    const fault = await this.#faultOf(account, (tools) => retire(account, tools));
    if (fault === null) return;
    const told = { channel: account.id, because: fault.message };
    this.#dependencies.log.warn(told, 'the platform could not be told that a channel ends');
  }

  async #faultOf(
    account: OpenedAccount,
    use: Parameters<ConnectorCalls['call']>[1],
  ): Promise<ConnectorError | null> {
    try {
      await this.#dependencies.calls.call(account, use);
      return null;
    } catch (error) {
      if (error instanceof ConnectorError) return error;
      throw error;
    }
  }
}
