import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { identifyVisitor } from '../../core/answering/ask.ts';
import { AppError } from '../../core/base/errors.ts';
import { noneWhereUnreadable } from '../../core/channels/accounts/channel-account.ts';
import type { Runtime } from '../../core/runtime/runtime.ts';
import { findPage } from '../../core/visitors/find-widget.ts';
import type { Visitor } from '../../core/visitors/visitor.ts';
import type { TypedApp } from '../typed-app.ts';
import { chatEntry } from '../widget/chat-entry.ts';
import { parseLook } from '../widget/look.ts';
import { sessionCredential } from '../widget/visitor-guards.ts';

export const switchedOffText = 'This page is switched off.';
export const pageParamsSchema = z.object({ slug: z.string() });

/**
 * Loads the page in the path before each route of `app`. Throws `channel_not_found` if the page does not
 * exist or is switched off.
 */
export function loadPageEntry(app: TypedApp, runtime: Runtime): void {
  const { database, channelAccounts, workspaces, guesses } = runtime;
  app.addHook('onRequest', async (request) => {
    const slug = pageParamsSchema.safeParse(request.params).data?.slug ?? '';
    const attempt = { kind: 'slug', address: request.ip, credential: slug, isName: true } as const;
    const id = await guesses.check(attempt, async () => {
      const found = await findPage(database.kysely, slug);
      if (found === null) throw new AppError('channel_not_found');
      return found;
    });
    const account = await channelAccounts.account(id).catch(noneWhereUnreadable);
    const workspace = account === null ? null : await workspaces.find(account.workspaceId);
    if (account === null || workspace === null) throw new AppError('channel_not_found');
    if (!account.enabled) throw new AppError('channel_not_found', { detail: switchedOffText });
    chatEntry.set(request, {
      workspace,
      account,
      look: parseLook(account),
      readSession(cookieToken) {
        const token = readPageCookie(cookieToken);
        if (token === null)
          throw new AppError('missing_auth', { detail: 'The session is missing. Start a session first.' });
        return token;
      },
    });
  });
}

const cookieName = 'parley_visitor';
const cookieDays = 90;

/** Returns the session token in the browser's cookie, or null if there is none. */
export function readPageCookie({ headers }: FastifyRequest): string | null {
  const pairs = (headers.cookie ?? '').split(';').map((pair) => pair.trim());
  const found = pairs.find((pair) => pair.startsWith(`${cookieName}=`))?.slice(cookieName.length + 1);
  return found !== undefined && /^[\w-]{1,200}$/.test(found) ? found : null;
}

interface PageCookie {
  readonly token: string;
  /** The path of the page. The browser sends the cookie to no other path. */
  readonly path: string;
  readonly publicUrl: string | undefined;
}

/**
 * The cookie is HttpOnly and SameSite=Lax, so scripts cannot read it and forms of other sites do not carry
 * it. It is `Secure` if PUBLIC_URL is https: behind a proxy that terminates TLS, the request itself arrives
 * over http.
 */
function setPageCookie(
  request: FastifyRequest,
  reply: FastifyReply,
  { token, path, publicUrl }: PageCookie,
): void {
  const isSecure = request.protocol === 'https' || publicUrl?.startsWith('https:') === true;
  const attributes = [
    `${cookieName}=${token}`,
    `Path=${path}`,
    `Max-Age=${cookieDays * 24 * 60 * 60}`,
    'HttpOnly',
    'SameSite=Lax',
    ...(isSecure ? ['Secure'] : []),
  ];
  reply.header('set-cookie', attributes.join('; '));
}

/** Returns the visitor of the session, or a new visitor if the browser sends no session or an expired one. */
export async function ensurePageSession(
  runtime: Runtime,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Visitor> {
  const { workspace, account, look } = chatEntry.get(request);
  const cookieToken = readPageCookie(request);
  const known = cookieToken === null ? null : await runtime.visitors.find(account.id, cookieToken);
  if (known !== null && !known.mustProve) return known;
  await identifyVisitor(runtime, workspace, { user: null, token: null });
  const { token, visitor } = await runtime.visitors.open({
    workspaceId: workspace.id,
    channelId: account.id,
    verified: null,
    token: null,
  });
  runtime.guesses.recognise('session', sessionCredential(account.id, token));
  setPageCookie(request, reply, { token, path: `/c/${look.slug}`, publicUrl: runtime.config.PUBLIC_URL });
  return visitor;
}
