import { upstreamFields } from './upstream-fields.ts';

/** Whether a body holds a parameter that only the open NLWeb protocol has: then it is answered in that form. */
export function isUpstream(body: Readonly<Record<string, unknown>>): boolean {
  return Object.keys(upstreamFields).some((field) => body[field] !== undefined);
}
