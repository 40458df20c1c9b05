import type { Runtime } from '../../core/runtime.ts';
import { admitted } from '../plugins/admitted.ts';
import type { TypedApp } from '../typed-app.ts';
import { publicWorkspace } from './public-workspace.ts';

/** Every request to `app` takes a token of its address, before its body is read, unless it was admitted by a key. */
export function limitRate(app: TypedApp, { publicRate }: Runtime): void {
  app.addHook('onRequest', async (request) => {
    if (admitted.find(request) !== undefined) return;
    await publicRate.take(publicWorkspace.of(request).id, request.ip);
  });
}
