import { z } from 'zod';
import { startPrism } from '../../servers/openapi/start-prism.ts';
import { intercomSpec } from './spec.ts';

const violationsSchema = z.array(z.object({ location: z.array(z.string()), message: z.string() }));

/**
 * A proxy between the product and a server that plays Intercom. If Intercom's own description is available, Prism
 * checks every request and every answer against it, and `violations` lists the faults. Make the calls with `fetch`.
 */
export async function openIntercomProxy(upstream: string) {
  const violations: string[] = [];
  const url = intercomSpec === null ? upstream : await startPrism(JSON.stringify(intercomSpec), upstream);
  const watched: typeof fetch = async (input, init) => {
    const response = await fetch(input, init);
    const told = violationsSchema.parse(JSON.parse(response.headers.get('sl-violations') ?? '[]'));
    // Intercom's description contains only the usual statuses.
    const real = told.filter(({ message }) => !message.includes('returned status code'));
    violations.push(...real.map(({ location, message }) => `${location.join('.')}: ${message}`));
    return response;
  };
  return { url, violations, fetch: watched };
}
