import type { Runtime } from '../../core/runtime.ts';
import type { TypedApp } from '../typed-app.ts';
import { visitorDoor } from './visitor-door.ts';
import { currentVisitor } from './visitor-session.ts';

/** Every request to `app` counts against what its address, and its visitor where he is known, may do. */
export function limitVisitors(app: TypedApp, { visitorRate }: Runtime, kind: 'ask' | 'read'): void {
  app.addHook('onRequest', async (request) => {
    const visitor = currentVisitor.find(request);
    const caller = { workspaceId: visitorDoor.of(request).workspace.id, address: request.ip };
    await visitorRate[kind](visitor === undefined ? caller : { ...caller, visitorId: visitor.id });
  });
}
