import type { Runtime } from '../../core/runtime.ts';
import type { TypedApp } from '../typed-app.ts';
import { publicWorkspace } from './public-workspace.ts';

/** Every request to `app` takes a token of its address, before its body is read. */
export function limitRate(app: TypedApp, { publicRate }: Runtime): void {
  app.addHook('onRequest', (request) => publicRate.take(publicWorkspace.of(request).id, request.ip));
}
