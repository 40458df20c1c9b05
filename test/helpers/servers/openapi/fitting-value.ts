import fc from 'fast-check';
import { z } from 'zod';

const schemaOf = z.object({
  // Null is used only if a field may be absent.
  type: z.union([z.string(), z.array(z.string()).transform(([first]) => first)]).optional(),
  enum: z.array(z.unknown()).optional(),
  format: z.string().optional(),
  minimum: z.number().default(0),
  maximum: z.number().default(100),
  minLength: z.number().default(0),
  maxLength: z.number().default(100),
  items: z.unknown().optional(),
  properties: z.record(z.string(), z.unknown()).default({}),
  required: z.array(z.string()).default([]),
});

/** Generates values that match a JSON schema, or nearly: enough of them pass the validation. */
export function fittingValue(input: unknown): fc.Arbitrary<unknown> {
  const schema = schemaOf.safeParse(input).data;
  if (schema === undefined) return fc.jsonValue({ maxDepth: 1 });
  const { minimum: min, maximum: max } = schema;
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  switch (schema.type) {
    case 'integer':
      return fc.integer({ min, max: Math.max(min, Math.min(max, 1_000)) });
    case 'number':
      return fc.double({ min, max, noNaN: true });
    case 'boolean':
      return fc.boolean();
    case 'array':
      return fc.array(fittingValue(schema.items), { maxLength: 2 });
    case 'string':
      return fittingText(schema);
    case 'object':
      return fittingObject(schema);
    default:
      return fc.jsonValue({ maxDepth: 1 });
  }
}

function fittingText({ format, minLength, maxLength }: z.output<typeof schemaOf>): fc.Arbitrary<string> {
  switch (format) {
    case 'date-time':
      return fc
        .date({ noInvalidDate: true, min: new Date(0), max: new Date(1e14) })
        .map((at) => at.toISOString());
    case 'uri':
      return fc.webUrl();
    case 'email':
      return fc.emailAddress();
    default:
      return fc.string({
        minLength,
        maxLength: Math.max(minLength, Math.min(maxLength, 40)),
        unit: 'grapheme',
      });
  }
}

function fittingObject({ properties, required }: z.output<typeof schemaOf>): fc.Arbitrary<object> {
  const fields = Object.entries(properties).map(([name, field]) => {
    const value = fittingValue(field);
    return [name, required.includes(name) ? value : fc.option(value, { nil: undefined, freq: 2 })];
  });
  return fc.record(Object.fromEntries(fields));
}
