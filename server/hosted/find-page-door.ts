import { z } from 'zod';
import { noneWhereUnreadable } from '../../core/channels/account-of.ts';
import { AppError } from '../../core/errors.ts';
import type { Runtime } from '../../core/runtime.ts';
import { findPage } from '../../core/visitors/find-doors.ts';
import type { TypedApp } from '../typed-app.ts';
import { lookOf } from '../widget/look.ts';
import { visitorDoor } from '../widget/visitor-door.ts';
import { readPageCookie } from './page-cookie.ts';

export const switchedOff = 'This page is switched off.';
export const pageParamsSchema = z.object({ slug: z.string() });

/** Every route of `app` is about the page in its path: `channel_not_found` where there is none, or it is switched off. */
export function findPageDoor(app: TypedApp, { database, channelAccounts, workspaces }: Runtime): void {
  app.addHook('onRequest', async (request) => {
    const params = pageParamsSchema.safeParse(request.params);
    const id = params.success ? await findPage(database.kysely, params.data.slug) : null;
    const account = id === null ? null : await channelAccounts.account(id).catch(noneWhereUnreadable);
    const workspace = account === null ? null : await workspaces.find(account.workspaceId);
    if (account === null || workspace === null) throw new AppError('channel_not_found');
    if (!account.enabled) throw new AppError('channel_not_found', { detail: switchedOff });
    visitorDoor.set(request, {
      workspace,
      account,
      look: lookOf(account),
      sessionOf(shown) {
        const token = readPageCookie(shown);
        if (token === null) throw new AppError('missing_auth', { detail: 'Begin a session first.' });
        return token;
      },
    });
  });
}
