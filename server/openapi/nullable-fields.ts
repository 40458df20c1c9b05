type JsonSchema = Readonly<Record<string, unknown>>;

/**
 * Returns the JSON schema of a request body as clients may send it: every optional field may also be null, at
 * any depth. Validation treats null and absent alike (`withoutAbsentNulls`).
 */
export function nullableFields(schema: JsonSchema): JsonSchema {
  const { properties, items, anyOf, allOf } = schema;
  const required = Array.isArray(schema.required) ? schema.required : [];
  return {
    ...schema,
    ...(isSchema(properties) && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, field]) => {
          if (!isSchema(field)) return [name, field];
          const inside = nullableFields(field);
          return [name, required.includes(name) ? inside : orNull(inside)];
        }),
      ),
    }),
    ...(isSchema(items) && { items: nullableFields(items) }),
    ...(Array.isArray(anyOf) && { anyOf: anyOf.map(nullableOption) }),
    ...(Array.isArray(allOf) && { allOf: allOf.map(nullableOption) }),
  };
}

function nullableOption(option: unknown): unknown {
  return isSchema(option) ? nullableFields(option) : option;
}

function orNull(schema: JsonSchema): JsonSchema {
  const { type, anyOf } = schema;
  if (JSON.stringify([type, anyOf]).includes('"null"')) return schema;
  if (typeof type === 'string') {
    const values = Array.isArray(schema.enum) ? { enum: [...schema.enum, null] } : {};
    return { ...schema, type: [type, 'null'], ...values };
  }
  if (Array.isArray(anyOf)) return { ...schema, anyOf: [...anyOf, { type: 'null' }] };
  const { description, default: fallback, ...rest } = schema;
  const annotations = {
    ...(description !== undefined && { description }),
    ...(fallback !== undefined && { default: fallback }),
  };
  return { ...annotations, anyOf: [rest, { type: 'null' }] };
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
