import type { Runtime } from '../../core/runtime.ts';
import type { TypedApp } from '../typed-app.ts';
import { openPageSession } from './open-page-session.ts';

/** `POST …/session`: the session stays in a cookie that the page's script does not see. */
export function postPageSession(app: TypedApp, runtime: Runtime): void {
  app.post('/session', { schema: { hide: true } }, async (request, reply) => {
    await openPageSession(runtime, request, reply);
    return reply.code(201).send({ session: '' });
  });
}
