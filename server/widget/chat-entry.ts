import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { AppError } from '../../core/base/errors.ts';
import type { OpenedAccount } from '../../core/channels/accounts/channel-account.ts';
import { noneWhereUnreadable } from '../../core/channels/accounts/channel-account.ts';
import type { Runtime } from '../../core/runtime/runtime.ts';
import { findWidget } from '../../core/visitors/find-widget.ts';
import type { Workspace } from '../../core/workspaces/workspaces.ts';
import { parseBearerToken } from '../plugins/bearer-token.ts';
import { RequestContext } from '../request-context.ts';
import type { TypedApp } from '../typed-app.ts';
import { type Look, parseLook } from './look.ts';

/** The widget or the hosted page that a request belongs to. */
interface ChatEntry {
  readonly workspace: Workspace;
  readonly account: OpenedAccount;
  readonly look: Look;
  /**
   * Returns the session token of the request. Throws `missing_auth` and `malformed_auth` if there is none.
   */
  readonly readSession: (request: FastifyRequest) => string;
}

export const chatEntry = new RequestContext<ChatEntry>('chat entry');

/** The format of the token is not validated: a malformed token is reported like an unknown one. */
export const widgetParamsSchema = z.object({ public_token: z.string() });

/**
 * Loads the widget that the public token in the path opens before each route of `app`. Throws
 * `channel_not_found` if the token or the widget does not exist or the widget is switched off.
 */
export function loadWidgetEntry(app: TypedApp, runtime: Runtime): void {
  const { database, clock, channelAccounts, workspaces, guesses } = runtime;
  app.addHook('onRequest', async (request, reply) => {
    reply.header('cross-origin-resource-policy', 'cross-origin');
    const credential = widgetParamsSchema.safeParse(request.params).data?.public_token ?? '';
    const id = await guesses.check({ kind: 'public_token', address: request.ip, credential }, async () => {
      const found = await findWidget(database.kysely, { publicToken: credential, now: clock.now() });
      if (found === null) throw new AppError('channel_not_found');
      return found.channelId;
    });
    const account = id === null ? null : await channelAccounts.account(id).catch(noneWhereUnreadable);
    const workspace = account?.enabled ? await workspaces.find(account.workspaceId) : null;
    if (account === null || workspace === null) throw new AppError('channel_not_found');
    chatEntry.set(request, {
      workspace,
      account,
      look: parseLook(account),
      readSession: ({ headers }) => parseBearerToken(headers, 'SESSION'),
    });
  });
}
