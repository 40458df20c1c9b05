import type { z } from 'zod';
import type { Drain } from '../../drain.ts';

/** The timeouts of streams for visitors, and the drain that ends them. */
export interface StreamLimits {
  readonly streamTimeoutMs: number;
  readonly keepAliveMs: number;
  readonly drain: Drain;
}

/**
 * The place of a visitor route: the widget or the hosted page. Routes of the page are hidden from the API
 * description, because only the page's own script calls them.
 */
export interface VisitorRoute {
  readonly hide: boolean;
  /** The schema of the path parameters. */
  readonly params: z.ZodObject;
}

/** A visitor route that streams its response. */
export interface StreamingVisitorRoute {
  readonly kind: VisitorRoute;
  readonly limits: StreamLimits;
}

/** Returns the schema parts that all routes with a visitor's session share. */
export function sessionRouteSchema({ hide, params }: VisitorRoute) {
  return { tags: ['Widget'], security: [{ visitorSession: [] }], params, hide };
}
