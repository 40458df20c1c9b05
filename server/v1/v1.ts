import type { Runtime } from '../../core/runtime/runtime.ts';
import type { Drain } from '../drain.ts';
import { countMessage, requireApiKey } from '../plugins/api-key.ts';
import { replayIdempotentRequests } from '../plugins/idempotency.ts';
import { tellUnknownFields } from '../plugins/unknown-fields.ts';
import type { TypedApp } from '../typed-app.ts';
import { chatRoutes } from './chat/routes.ts';
import { conversationRoutes } from './conversations/routes.ts';
import { getMe } from './me.ts';
import { postQuery, postQueryStream } from './query/routes.ts';

interface V1Options {
  /** Milliseconds after which a query is aborted. */
  readonly queryTimeoutMs: number;
  /** Milliseconds after which a streamed answer is cut off. */
  readonly streamTimeoutMs: number;
  readonly keepAliveMs: number;
  readonly drain: Drain;
}

/** Registers the routes that integrators call with an API key. */
export function v1(app: TypedApp, runtime: Runtime, options: V1Options): void {
  requireApiKey(app, runtime, options.queryTimeoutMs);
  replayIdempotentRequests(app, runtime);
  countMessage(app, runtime);
  tellUnknownFields(app);
  postQuery(app, runtime, options.queryTimeoutMs);
  postQueryStream(app, runtime, { ...options, timeoutMs: options.streamTimeoutMs });
  chatRoutes(app, runtime, { ...options, timeoutMs: options.streamTimeoutMs });
  conversationRoutes(app, runtime);
  getMe(app, runtime);
}
