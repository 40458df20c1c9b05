import { storable } from './storable.ts';

/** An escape that stands for what no database holds: NUL, or half of a surrogate pair. */
const suspect = /\\u(?:0000|d[89a-f])/i;

/** What was parsed from `json`, with every string in it `storable`. Most have nothing to mend and are left as they are. */
export function storableJson(value: unknown, json: string): unknown {
  return suspect.test(json) ? mended(value) : value;
}

function mended(value: unknown): unknown {
  if (typeof value === 'string') return storable(value);
  if (Array.isArray(value)) return value.map(mended);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [storable(name), mended(item)]));
}
