import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../../core/errors.ts';
import type { Caller } from '../../core/limits/visitor-rate.ts';
import type { Runtime } from '../../core/runtime.ts';
import type { TypedApp } from '../typed-app.ts';
import { visitorDoor } from './visitor-door.ts';
import { currentVisitor } from './visitor-session.ts';

/** `form`: what browsers without scripts send, which cannot show work. */
type Kind = 'ask' | 'file' | 'form' | 'read';

/** Every request to `app` counts against what its address, and its visitor where he is known, may do. */
export function limitVisitors(app: TypedApp, runtime: Runtime, kind: Kind): void {
  app.addHook('onRequest', async (request, reply) => {
    const visitor = currentVisitor.find(request);
    const from = { workspaceId: visitorDoor.of(request).workspace.id, address: request.ip };
    const caller = visitor === undefined ? from : { ...from, visitorId: visitor.id };
    if (kind === 'read') await runtime.visitorRate.read(caller);
    else if (kind === 'form') await runtime.visitorRate.ask(caller, { isProven: true });
    else await admit(runtime, caller, { request, reply });
    if (kind === 'file') await runtime.visitorRate.file(caller);
  });
}

/** Who has to show work finds in the header what it is about. */
async function admit(
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
