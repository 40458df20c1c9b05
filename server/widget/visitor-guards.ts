import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../../core/base/errors.ts';
import type { Caller } from '../../core/limits/visitor-rate.ts';
import type { Runtime } from '../../core/runtime/runtime.ts';
import type { Visitor } from '../../core/visitors/visitor.ts';
import { RequestContext } from '../request-context.ts';
import type { TypedApp } from '../typed-app.ts';
import { chatEntry } from './chat-entry.ts';

/** The visitor of the request, by its session. */
export const currentVisitor = new RequestContext<Visitor>('visitor');

/**
 * Requires a session of this widget or page for each route of `app`. Throws `invalid_session`, and
 * `verification_required` for an anonymous session if the workspace has meanwhile started to require verified
 * identities.
 */
export function requireSession(app: TypedApp, { visitors, guesses }: Runtime): void {
  app.addHook('onRequest', async (request) => {
    const { account, readSession: sessionOf } = chatEntry.get(request);
    const token = sessionOf(request);
    const credential = sessionCredential(account.id, token);
    const visitor = await guesses.check({ kind: 'session', address: request.ip, credential }, async () => {
      const found = await visitors.find(account.id, token);
      if (found === null) throw new AppError('invalid_session');
      return found;
    });
    if (visitor.mustProve) throw new AppError('verification_required');
    currentVisitor.set(request, visitor);
  });
}

/** Sessions are bound to a channel, so the channel is part of the credential. */
export function sessionCredential(channelId: string, token: string): string {
  return `${channelId} ${token}`;
}

/** `form` is for browsers without scripts, which cannot solve a proof of work. */
type RateKind = 'ask' | 'file' | 'form' | 'read';

/** Counts each request to `app` against the rate limits of its IP address and, if known, its visitor. */
export function limitVisitorRate(app: TypedApp, runtime: Runtime, kind: RateKind): void {
  app.addHook('onRequest', async (request, reply) => {
    const visitor = currentVisitor.find(request);
    const from = { workspaceId: chatEntry.get(request).workspace.id, address: request.ip };
    const caller = visitor === undefined ? from : { ...from, visitorId: visitor.id };
    if (kind === 'read') await runtime.visitorRate.read(caller);
    else if (kind === 'form') await runtime.visitorRate.ask(caller, { isProven: true });
    else await limitAsking(runtime, caller, { request, reply });
    if (kind === 'file') await runtime.visitorRate.file(caller);
  });
}

/** If a proof of work is required, sends the challenge in the header `Challenge`. */
async function limitAsking(
  { visitorRate, challenges }: Pick<Runtime, 'visitorRate' | 'challenges'>,
  caller: Caller,
  { request, reply }: { readonly request: FastifyRequest; readonly reply: FastifyReply },
): Promise<void> {
  const answer = request.headers['challenge-answer'];
  const isProven = answer !== undefined && (await challenges.accept(caller, String(answer)));
  try {
    await visitorRate.ask(caller, { isProven });
  } catch (error) {
    if (error instanceof AppError && error.code === 'challenge_required')
      reply.header('challenge', await challenges.pose(caller));
    throw error;
  }
}

/** Requires that the widget or page accepts files. Throws `attachments_off`. */
export function requireAttachmentsOn(app: TypedApp): void {
  app.addHook('onRequest', async (request) => {
    if (!chatEntry.get(request).look.attachments) throw new AppError('attachments_off');
  });
}
