import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { parse } from 'yaml';
import { z } from 'zod';
import { peersFile } from '../peers-file.ts';

const file = peersFile('specs/intercom-2.14.yaml');

/** Intercom's own description of its API, as OpenAPI; null if it is not available. */
export const intercomSpec =
  file === null ? null : z.record(z.string(), z.unknown()).parse(parse(readFileSync(file, 'utf8')));

const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: false });
if (intercomSpec !== null) ajv.addSchema(Object.fromEntries(entriesOf(intercomSpec)), 'intercom');

/** Returns the fault of a value by a schema of Intercom's; null if there is none. */
export function faultOfIntercom(schema: string, value: unknown): string | null {
  const validate = ajv.compile({ $ref: `intercom#/components/schemas/${schema}` });
  if (validate(value)) return null;
  const [error] = validate.errors ?? [];
  return `${error?.instancePath} ${error?.message}`;
}

/** OpenAPI 3.0 says `nullable` where JSON Schema has another type. */
function nullable(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(nullable);
  if (typeof value !== 'object' || value === null) return value;
  const inner = Object.fromEntries(entriesOf(value).filter(([key]) => key !== 'nullable'));
  return 'nullable' in value && value.nullable === true ? { anyOf: [inner, { type: 'null' }] } : inner;
}

function entriesOf(value: object): [string, unknown][] {
  return Object.entries(value).map(([key, one]) => [key, nullable(one)]);
}
