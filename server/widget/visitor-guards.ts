import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../../core/errors.ts';
import type { Caller } from '../../core/limits/visitor-rate.ts';
import type { Runtime } from '../../core/runtime.ts';
import type { Visitor } from '../../core/visitors/visitor.ts';
import { RequestContext } from '../request-context.ts';
import type { TypedApp } from '../typed-app.ts';
import { chatEntry } from './chat-entry.ts';

/** Who calls, by the session that he shows. */
export const currentVisitor = new RequestContext<Visitor>('visitor');

/**
 * Every route of `app` takes the session of a visitor of this very door. Throws `invalid_session`, and
 * `verification_required` for an anonymous session in a workspace that has begun to require proof of identity.
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

/** A session is right or wrong for one channel. */
export function sessionCredential(channelId: string, token: string): string {
  return `${channelId} ${token}`;
}

/** `form`: what browsers without scripts send, which cannot show work. */
type RateKind = 'ask' | 'file' | 'form' | 'read';

/** Every request to `app` counts against what its address, and its visitor where he is known, may do. */
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

/** Who has to show work finds in the header what it is about. */
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

/** Every route of `app` takes files, where the door does. Throws `attachments_off`. */
export function requireAttachmentsOn(app: TypedApp): void {
  app.addHook('onRequest', async (request) => {
    if (!chatEntry.get(request).look.attachments) throw new AppError('attachments_off');
  });
}
