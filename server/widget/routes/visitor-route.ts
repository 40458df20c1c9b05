import type { z } from 'zod';
import type { Drain } from '../../drain.ts';

/** How long visitors are answered, and what ends it. */
export interface StreamLimits {
  readonly streamTimeoutMs: number;
  readonly keepAliveMs: number;
  readonly drain: Drain;
}

/** At which of the doors a route is: those of pages are not described, for only our own script calls them. */
export interface VisitorRoute {
  readonly hide: boolean;
  /** What the path names. */
  readonly params: z.ZodObject;
}

/** A route that answers for as long as there is something to say. */
export interface StreamingVisitorRoute {
  readonly kind: VisitorRoute;
  readonly limits: StreamLimits;
}

/** What the schemas of all routes that take the session of a visitor have in common. */
export function sessionRouteSchema({ hide, params }: VisitorRoute) {
  return { tags: ['Widget'], security: [{ visitorSession: [] }], params, hide };
}
