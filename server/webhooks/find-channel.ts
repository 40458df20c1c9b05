import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { OpenedAccount } from '../../core/channels/channel-account.ts';
import { findIntake, UnreadableChannel } from '../../core/channels/channel-account.ts';
import type { AnyConnector } from '../../core/contract/connector.ts';
import { AppError } from '../../core/errors.ts';
import type { Runtime } from '../../core/runtime.ts';
import { RequestContext } from '../request-context.ts';

interface RequestChannel {
  readonly account: OpenedAccount;
  readonly connector: AnyConnector;
  readonly webhook: NonNullable<AnyConnector['webhook']>;
}

/** The channel that the path of a platform's request names. */
export const requestChannel = new RequestContext<RequestChannel>('channel');

const paramsSchema = z.object({ chan_id: z.string().regex(/^chan_\w+$/) });

/**
 * Every route of `app` is about the channel in its path, before its body is read: `channel_not_found` where there is
 * none, where it is switched off, and where its platform does not post.
 */
export function loadRequestChannel(app: FastifyInstance, { channelAccounts, connectors }: Runtime): void {
  app.addHook('onRequest', async (request) => {
    const params = paramsSchema.safeParse(request.params);
    const account = params.success
      ? await channelAccounts.account(params.data.chan_id).catch(tellLater)
      : null;
    const connector = account === null ? undefined : connectors.findConnector(account.channel);
    if (!account?.enabled || !connector?.webhook || findIntake(connector, account) !== 'webhook') {
      throw new AppError('channel_not_found');
    }
    requestChannel.set(request, { account, connector, webhook: connector.webhook });
  });
}

/** The platform keeps what it has to tell until the channel can be read again. */
function tellLater(error: unknown): never {
  if (error instanceof UnreadableChannel) throw new AppError('event_not_stored', { cause: error });
  throw error;
}
