import { systemWait } from '../../core/base/clock.ts';
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
import { readSimulations } from './simulation.ts';

interface V1Options {
  /** Milliseconds after which a query is aborted. */
  readonly queryTimeoutMs: number;
  /** Milliseconds after which a streamed answer is cut off. */
  readonly streamTimeoutMs: number;
  readonly keepAliveMs: number;
  readonly drain: Drain;
  /** Milliseconds by which the simulation `slow` delays an answer. */
  readonly slowMs: number;
}

/** Registers the routes that integrators call with an API key. */
export function v1(app: TypedApp, runtime: Runtime, options: V1Options): void {
  requireApiKey(app, runtime, options.queryTimeoutMs);
  readSimulations(app, runtime);
  replayIdempotentRequests(app, runtime);
  countMessage(app, runtime);
  tellUnknownFields(app);
  const { slowMs, ...limits } = options;
  const answering = {
    ...limits,
    timeoutMs: limits.streamTimeoutMs,
    simulation: { slowMs, wait: systemWait },
  };
  postQuery(app, runtime, answering);
  postQueryStream(app, runtime, answering);
  chatRoutes(app, runtime, answering);
  conversationRoutes(app, runtime);
  getMe(app, runtime);
}
