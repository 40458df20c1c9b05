import { storable } from '../../text.ts';

const stringOrRest = /("(?:[^"\\]|\\.)*"?)|\s+|,/gs;

/**
 * Valid JSON without what is between its values; `comma` is what separates them. Numbers stay as they are written:
 * parsed, the last digits of a long order number would be others.
 */
export function compactJson(json: string, comma = ','): string {
  return json.replace(stringOrRest, (part, string?: string) => {
    if (string !== undefined) return JSON.stringify(storable(String(JSON.parse(string))));
    return part === ',' ? comma : '';
  });
}
