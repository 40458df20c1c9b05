import { AppError } from '../../core/errors.ts';
import type { Runtime } from '../../core/runtime.ts';
import type { Visitor } from '../../core/visitors/visitor.ts';
import { RequestValue } from '../request-value.ts';
import type { TypedApp } from '../typed-app.ts';
import { visitorDoor } from './visitor-door.ts';

/** Who calls, by the session that he shows. */
export const currentVisitor = new RequestValue<Visitor>('visitor');

/**
 * Every route of `app` takes the session of a visitor of this very door. Throws `invalid_session`, and
 * `verification_required` for an anonymous session in a workspace that has begun to require proof of identity.
 */
export function takeSession(app: TypedApp, { visitors, guesses }: Runtime): void {
  app.addHook('onRequest', async (request) => {
    const { account, sessionOf } = visitorDoor.of(request);
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
