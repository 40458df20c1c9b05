/** Fields whose contents belong to the caller and keep their names. */
const opaque = new Set(['metadata']);

function rename(value: unknown, nameOf: (name: string) => string): unknown {
  if (Array.isArray(value)) return value.map((item) => rename(item, nameOf));
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).map(([name, field]) => [
    nameOf(name),
    opaque.has(name) ? field : rename(field, nameOf),
  ]);
  return Object.fromEntries(fields);
}

export function toSnakeName(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** Renames the fields of a body as the service writes them. Fields within `metadata` keep their names. */
export function toSnakeCase(value: unknown): unknown {
  return rename(value, toSnakeName);
}

/** Reads JSON of the service with its fields in camel case. Throws a `SyntaxError` for text that is not JSON. */
export function parseCamelCase(text: string): unknown {
  return rename(JSON.parse(text), (name) =>
    name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase()),
  );
}
