import { AppError } from '../../base/errors.ts';
import type { Logger } from '../../base/log.ts';
import { toStorableText } from '../../base/text.ts';
import type { Json } from '../../contract/account.ts';
import type { AnyConnector } from '../../contract/connector.ts';
import { ConnectorError } from '../../contract/connector-error.ts';
import type { ConnectorCalls } from '../connector-calls.ts';
import type { ChannelStatus, OpenedAccount } from './channel-account.ts';
import { findIntake } from './channel-account.ts';

interface Dependencies {
  readonly calls: ConnectorCalls;
  readonly log: Pick<Logger, 'warn'>;
}

interface LinkState {
  readonly status: ChannelStatus;
  readonly lastError: string | null;
}

/** The operations on the platform when an account is added, changed or removed. */
export class PlatformLink {
  readonly #dependencies: Dependencies;

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Verifies the account on the platform and returns its profile. Throws `channel_verification_failed` with the
   * platform's message.
   */
  async probe(connector: AnyConnector, account: OpenedAccount): Promise<Readonly<Record<string, Json>>> {
    try {
      return await this.#dependencies.calls.call(account, (tools) => connector.open(account).probe(tools));
    } catch (error) {
      if (!(error instanceof ConnectorError)) throw error;
      throw new AppError('channel_verification_failed', { detail: error.message });
    }
  }

  /** Registers the webhook URL with the platform. Returns null if the connector needs no registration. */
  async registerWebhook(connector: AnyConnector, account: OpenedAccount): Promise<LinkState | null> {
    const channel = connector.open(account);
    if (channel.registerWebhook === undefined || findIntake(connector, account) !== 'webhook') return null;
    if (account.webhookUrl === null) {
      return {
        status: 'error',
        lastError:
          'PUBLIC_URL is absent, so the platform has no address to post to. Set PUBLIC_URL and save the channel again.',
      };
    }
    const fault = await this.#tryCall(account, async (tools) => channel.registerWebhook?.(tools));
    return fault === null
      ? { status: 'connected', lastError: null }
      : { status: 'error', lastError: toStorableText(fault.message) };
  }

  /** Performs optional set-up; the account works without it. */
  async prepare(connector: AnyConnector, account: OpenedAccount): Promise<void> {
    const channel = connector.open(account);
    if (channel.prepare === undefined) return;
    const fault = await this.#tryCall(account, async (tools) => channel.prepare?.(tools));
    if (fault === null) return;
    const fields = { channel: account.id, because: fault.message };
    this.#dependencies.log.warn(fields, 'optional channel set-up failed');
  }

  /** Removes the registration. Failures are only logged, because the platform may no longer accept the account. */
  async unregisterWebhook(connector: AnyConnector, account: OpenedAccount): Promise<void> {
    const channel = connector.open(account);
    if (channel.unregisterWebhook === undefined || findIntake(connector, account) !== 'webhook') return;
    const fault = await this.#tryCall(account, async (tools) => channel.unregisterWebhook?.(tools));
    if (fault === null) return;
    const fields = { channel: account.id, because: fault.message };
    this.#dependencies.log.warn(fields, 'webhook could not be unregistered');
  }

  async #tryCall(
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
