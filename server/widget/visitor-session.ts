import { AppError } from '../../core/errors.ts';
import type { Runtime } from '../../core/runtime.ts';
import type { Visitor } from '../../core/visitors/visitor.ts';
import { RequestValue } from '../request-value.ts';
import type { TypedApp } from '../typed-app.ts';
import { visitorDoor } from './visitor-door.ts';

/** Who calls, by the session that he shows. */
export const currentVisitor = new RequestValue<Visitor>('visitor');

/** Every route of `app` takes the session of a visitor of this very door. Throws `invalid_session`. */
export function takeSession(app: TypedApp, { visitors }: Runtime): void {
  app.addHook('onRequest', async (request) => {
    const { account, sessionOf } = visitorDoor.of(request);
    const visitor = await visitors.find(account.id, sessionOf(request));
    if (visitor === null) throw new AppError('invalid_session');
    currentVisitor.set(request, visitor);
  });
}
