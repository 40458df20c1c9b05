import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { AppError } from '../../core/base/errors.ts';
import type { OpenedAccount } from '../../core/channels/accounts/channel-account.ts';
import { findIntake, UnreadableChannel } from '../../core/channels/accounts/channel-account.ts';
import type { AnyConnector } from '../../core/contract/connector.ts';
import type { WebhookIntake } from '../../core/contract/webhook.ts';
import type { ChannelServices } from '../../core/runtime/open-channels.ts';
import { RequestContext } from '../request-context.ts';

interface RequestChannel {
  readonly account: OpenedAccount;
  readonly connector: AnyConnector;
  readonly webhook: WebhookIntake;
}

/** The channel that the path of a platform's request refers to. */
export const requestChannel = new RequestContext<RequestChannel>('channel');

const paramsSchema = z.object({ chan_id: z.string().regex(/^chan_\w+$/) });

/**
 * Loads the channel in the path before each route of `app` and before the body is read. Throws
 * `channel_not_found` if it does not exist, is disabled, or its platform does not post webhooks.
 */
export function loadRequestChannel(
  app: FastifyInstance,
  { channelAccounts, connectors }: ChannelServices,
): void {
  app.addHook('onRequest', async (request) => {
    const params = paramsSchema.safeParse(request.params);
    const account = params.success
      ? await channelAccounts.account(params.data.chan_id).catch(retryLater)
      : null;
    const connector = account === null ? undefined : connectors.findConnector(account.channel);
    if (!account?.enabled || connector === undefined || findIntake(connector, account) !== 'webhook') {
      throw new AppError('channel_not_found');
    }
    const { webhook } = connector.open(account);
    if (webhook === null) throw new AppError('channel_not_found');
    requestChannel.set(request, { account, connector, webhook });
  });
}

/** Makes the platform retry later, when the credentials of the channel can be decrypted again. */
function retryLater(error: unknown): never {
  if (error instanceof UnreadableChannel) throw new AppError('event_not_stored', { cause: error });
  throw error;
}
