import type { BrowserContext } from 'playwright-core';

interface HeldRequests {
  readonly method: string;
  /** A pattern of addresses, as Playwright has them. */
  readonly path: string;
}

/** Holds requests back until `release`, and records the bodies that were sent. */
export async function holdRequests(context: BrowserContext, { method, path }: HeldRequests) {
  const sent: unknown[] = [];
  const held: (() => Promise<void>)[] = [];
  let isHolding = true;
  await context.route(path, async (route, request) => {
    if (request.method() !== method) return route.fallback();
    sent.push(request.postDataJSON());
    if (!isHolding) return route.fallback();
    held.push(() => route.fallback());
  });
  return {
    sent,
    held,
    async release(): Promise<void> {
      isHolding = false;
      for (const each of held.splice(0)) await each();
    },
  };
}

/** Holds changes of conversations back. */
export function holdPatches(context: BrowserContext) {
  return holdRequests(context, { method: 'PATCH', path: '**/conversations/*' });
}
