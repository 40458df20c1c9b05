import fc from 'fast-check';
import { z } from 'zod';
import type { ApiOperation } from './api-operations.ts';
import { fittingValue } from './fitting-value.ts';

export interface AnyRequest {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON, nearly JSON, or nothing. */
  readonly body: string | undefined;
}

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.string({ maxLength: 20 }),
  fc.constantFrom('\0', '\ud800', '😀', "'; --", '%00', '%', '../..', '2026-01-01T00:00:00Z', 'a@b.example'),
);
const visible = fc.string({ unit: fc.constantFrom(...'abcXYZ019-_:;,"\'{}'), maxLength: 260 });
const objectSchema = z.object({
  properties: z.record(z.string(), z.unknown()),
  required: z.array(z.string()).default([]),
});

type Known = Readonly<Record<string, readonly unknown[]>>;

/**
 * Generates any request to an operation, with any body, parameters and path. `known` are values with a meaning, such
 * as ids, by the names of fields and parameters.
 */
export function anyRequest(operation: ApiOperation, known: Known): fc.Arbitrary<AnyRequest> {
  return fc
    .record({
      path: pathOf(operation, known),
      query: queryOf(operation, known),
      headers: headersOf(operation),
      body: fc.option(bodyOf(operation, known), { nil: undefined, freq: 10 }),
    })
    .map(({ path, query, headers, body }) => ({
      path: query === '' ? path : `${path}?${query}`,
      headers: body === undefined ? headers : { ...headers, 'content-type': 'application/json' },
      body,
    }));
}

/** No segment consists of dots: clients resolve those before they send the address. */
function pathOf({ path }: ApiOperation, known: Known) {
  const segments = path.split('/').map((segment) => {
    const name = /^\{(\w+)\}$/.exec(segment)?.[1];
    if (name === undefined) return fc.constant(segment);
    const junk = text
      .filter((one) => !/^\.*$/.test(one))
      .map((one) => encodeURIComponent(one.toWellFormed()));
    return fc.oneof(
      { arbitrary: fc.constantFrom(...(known[name] ?? ['unknown'])).map(String), weight: 9 },
      junk,
    );
  });
  return fc.tuple(...segments).map((chosen) => chosen.join('/'));
}

function queryOf({ parameters }: ApiOperation, known: Known) {
  const inQuery = parameters.filter((parameter) => parameter.in === 'query');
  const given = inQuery.map(({ name, schema, required }) => {
    const pair = fc.tuple(fc.constant(name), fieldOf(name, schema, known).map(asText));
    return fc.array(pair, { minLength: required ? 1 : 0, maxLength: 1 });
  });
  const anything = fc.array(fc.tuple(fc.oneof(text, fc.constantFrom('limit', 'cursor')), text), {
    maxLength: 1,
  });
  return fc.tuple(...given, anything).map((pairs) =>
    pairs
      .flat()
      .map((pair) => pair.map((part) => encodeURIComponent(part.toWellFormed())).join('='))
      .join('&'),
  );
}

function headersOf({ parameters }: ApiOperation): fc.Arbitrary<Record<string, string>> {
  const names = parameters.flatMap((parameter) => (parameter.in === 'header' ? parameter.name : []));
  return names.length === 0
    ? fc.constant({})
    : fc.dictionary(fc.constantFrom(...names), visible, { maxKeys: 1 });
}

function bodyOf({ requestBody }: ApiOperation, known: Known): fc.Arbitrary<string> {
  const schema = requestBody?.content['application/json']?.schema;
  const { properties = {}, required = [] } = objectSchema.safeParse(schema).data ?? {};
  const fields = Object.entries(properties).map(([name, field]) => {
    const value = fieldOf(name, field, known);
    return [name, required.includes(name) ? often(value) : fc.option(value, { nil: undefined, freq: 2 })];
  });
  const object = fc.record(Object.fromEntries(fields)).map((one) => JSON.stringify(one));
  const cutShort = fc.tuple(object, fc.nat(30)).map(([json, cut]) => json.slice(0, -cut));
  return fc.oneof(
    { arbitrary: object, weight: 20 },
    fc.jsonValue().map((one) => JSON.stringify(one)),
    cutShort,
    text.map((one) => one.toWellFormed()),
  );
}

/** Mostly what the field takes, sometimes something else. */
function fieldOf(name: string, schema: unknown, known: Known): fc.Arbitrary<unknown> {
  const meant = known[name];
  return fc.oneof(
    { arbitrary: meant === undefined ? fittingValue(schema) : fc.constantFrom(...meant), weight: 15 },
    fc.jsonValue({ maxDepth: 2 }),
    text,
  );
}

function often(value: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  return fc.option(value, { nil: undefined, freq: 15 });
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
