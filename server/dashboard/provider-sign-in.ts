import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { AppError } from '../../core/base/errors.ts';
import type { Actor } from '../../core/contract/actor.ts';
import { joinByProvider } from '../../core/members/join.ts';
import type { Attempt } from '../../core/members/provider-sign-in.ts';
import type { Runtime } from '../../core/runtime/runtime.ts';
import { libraryHeaders } from '../plugins/operator-access.ts';
import { ownAddress } from '../plugins/own-address.ts';
import type { TypedApp } from '../typed-app.ts';

const hidden = { hide: true };
const ownerSchema = z.object({ owner: z.string().max(100) });
const startSchema = {
  ...hidden,
  params: ownerSchema,
  querystring: z.object({ return: z.string().optional() }),
};

/** Ties attempts to the browser that began them. */
const browserCookie = 'parley-provider';
/** Carries the reason of a failed sign-in to the sign-in page, where a link could not put words into it. */
const faultCookie = 'parley-provider-fault';

/** The address that starts a sign-in at the provider of an owner. */
export function signInLink(base: string, ownerId: string): string {
  return `${base}/dashboard/provider/${encodeURIComponent(ownerId)}`;
}

/** The address that providers send browsers back to. Each owner has one, so that no provider can answer for another. */
export function callbackAddress(base: string, ownerId: string): string {
  return `${signInLink(base, ownerId)}/callback`;
}

/** Registers the way to the provider of an owner, and the way back. */
export function providerSignInRoutes(app: TypedApp, runtime: Runtime): void {
  app.get('/dashboard/provider/:owner', { schema: startSchema }, async (request, reply) => {
    await runtime.publicRate.take('sign-in', request.ip);
    const returnTo = ownPath(request.query.return);
    try {
      const attempt = { ownerId: request.params.owner, returnTo, tester: null };
      return reply.redirect(await beginAtProvider(runtime, { request, reply }, attempt), 302);
    } catch (error) {
      return sendBack(runtime, reply, error);
    }
  });
  app.get(
    '/dashboard/provider/:owner/callback',
    { schema: { ...hidden, params: ownerSchema } },
    async (request, reply) => {
      await runtime.publicRate.take('sign-in', request.ip);
      try {
        return await comeBack(runtime, { request, reply }, request.params.owner);
      } catch (error) {
        return sendBack(runtime, reply, error);
      }
    },
  );
}

interface Exchange {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

/** Begins a sign-in or a test in this browser and returns the address of the provider. */
export async function beginAtProvider(
  runtime: Runtime,
  { request, reply }: Exchange,
  attempt: Pick<Attempt, 'ownerId' | 'returnTo' | 'tester'>,
): Promise<string> {
  const { beginProviderSignIn } = await import('../../core/members/provider-sign-in.ts');
  const callback = callbackAddress(ownAddress(runtime.config, request), attempt.ownerId);
  const known = readCookie(request, browserCookie);
  const begun = await beginProviderSignIn(dependencies(runtime), { ...attempt, callback, browser: known });
  setCookie(runtime, reply, { name: browserCookie, value: begun.browser, seconds: 3_600 });
  return begun.url;
}

async function comeBack(
  runtime: Runtime,
  { request, reply }: Exchange,
  ownerId: string,
): Promise<FastifyReply> {
  const { takeAttempt, finishProviderSignIn } = await import('../../core/members/provider-sign-in.ts');
  const address = new URL(callbackAddress(ownAddress(runtime.config, request), ownerId));
  address.search = new URL(request.url, address).search;
  const browser = readCookie(request, browserCookie);
  const attempt = await takeAttempt(dependencies(runtime), { ownerId, address, browser });
  if (attempt.tester !== null)
    return finishTest(runtime, reply, { attempt, tester: attempt.tester, address });
  const { provider, identity } = await finishProviderSignIn(dependencies(runtime), attempt, address);
  const stores = { database: runtime.database.kysely, clock: runtime.clock };
  const { personId } = await joinByProvider(stores, { provider, identity });
  const cookies = await runtime.signIn.startProviderSession(libraryHeaders(request), { personId, ownerId });
  return reply.header('set-cookie', [...cookies]).redirect(attempt.returnTo, 302);
}

interface Test {
  readonly attempt: Attempt;
  readonly tester: Actor;
  readonly address: URL;
}

/** Stores the result of a test, which signs nobody in. */
async function finishTest(
  runtime: Runtime,
  reply: FastifyReply,
  { attempt, tester, address }: Test,
): Promise<FastifyReply> {
  const { finishProviderSignIn } = await import('../../core/members/provider-sign-in.ts');
  const { providers } = runtime.signIn;
  const { ownerId, startedAt, returnTo } = attempt;
  const outcome = { actor: tester, startedAt };
  try {
    const { provider, identity } = await finishProviderSignIn(dependencies(runtime), attempt, address);
    await providers.recordTest(provider, { ...outcome, as: identity.email, fault: null });
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const provider = await providers.find(ownerId);
    if (provider !== null)
      await providers.recordTest(provider, { ...outcome, as: null, fault: error.message });
  }
  return reply.redirect(returnTo, 302);
}

/** Returns to the sign-in page, which shows why. */
function sendBack(runtime: Runtime, reply: FastifyReply, error: unknown): FastifyReply {
  if (!(error instanceof AppError) || error.status >= 500) throw error;
  runtime.log.info({ err: error }, 'sign-in at a provider failed');
  const value = Buffer.from(error.message.slice(0, 600)).toString('base64url');
  setCookie(runtime, reply, { name: faultCookie, value, seconds: 120 });
  return reply.redirect('/dashboard/sign-in', 302);
}

/** Returns why the last sign-in at a provider failed, once. */
export function takeProviderFault(runtime: Runtime, { request, reply }: Exchange): string | null {
  const value = readCookie(request, faultCookie);
  if (value === undefined) return null;
  setCookie(runtime, reply, { name: faultCookie, value: '', seconds: 0 });
  return Buffer.from(value, 'base64url').toString('utf8');
}

interface Cookie {
  readonly name: string;
  readonly value: string;
  readonly seconds: number;
}

/** The provider's page leads back by a link, so the cookie is Lax. */
function setCookie({ config }: Runtime, reply: FastifyReply, { name, value, seconds }: Cookie): void {
  const secure = config.PUBLIC_URL?.startsWith('https:') === true ? '; Secure' : '';
  const limits = `Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax`;
  reply.header('set-cookie', `${name}=${value}; ${limits}${secure}`);
}

function readCookie({ headers }: FastifyRequest, name: string): string | undefined {
  const pair = (headers.cookie ?? '').split('; ').find((each) => each.startsWith(`${name}=`));
  const value = pair?.slice(name.length + 1);
  return value !== undefined && /^[\w-]{16,1000}$/.test(value) ? value : undefined;
}

/** Only pages of the dashboard: a link to a sign-in must not lead to another site. */
function ownPath(wanted = ''): string {
  const base = 'http://dashboard.invalid';
  const url = URL.parse(wanted, base);
  return url?.origin === base && url.pathname.startsWith('/dashboard')
    ? url.pathname + url.search
    : '/dashboard';
}

function dependencies({ database, clock, signIn, config }: Runtime) {
  const { providers } = signIn;
  return { database: database.kysely, clock, providers, allowPrivate: config.ALLOW_PRIVATE_SIGN_IN };
}
