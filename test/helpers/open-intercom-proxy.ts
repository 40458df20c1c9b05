import { intercomSpec } from './intercom-spec.ts';
import { startPrism } from './start-prism.ts';

/**
 * What stands between us and a server that plays Intercom: where Intercom's own description is at hand, Prism holds every
 * request and every answer to it, and `violations` tells what did not. `fetch` is to be used for the calls.
 */
export async function openIntercomProxy(upstream: string) {
  const violations: string[] = [];
  const url = intercomSpec === null ? upstream : await startPrism(JSON.stringify(intercomSpec), upstream);
  const watched: typeof fetch = async (input, init) => {
    const response = await fetch(input, init);
    const told = response.headers.get('sl-violations');
    // Statuses are hardly described: none but the usual ones are known.
    if (told !== null && !told.includes('returned status code')) violations.push(told);
    return response;
  };
  return { url, violations, fetch: watched };
}
