import type { BrowserContext } from 'playwright-core';

/** Holds changes of conversations back until `release`, and keeps what was sent. */
export async function holdPatches(context: BrowserContext) {
  const sent: unknown[] = [];
  const held: (() => Promise<void>)[] = [];
  let isHolding = true;
  await context.route('**/conversations/*', async (route, request) => {
    if (request.method() !== 'PATCH') return route.fallback();
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
