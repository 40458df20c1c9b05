import type { JSONSchema } from 'zod/v4/core';

/**
 * Takes from a description what is true today and no promise: that no field will ever be added, where JavaScript's
 * integers end, and the pattern by which a known format is checked. Generated clients compile patterns without the flags
 * that ours have.
 */
export function describeOpenly({ jsonSchema }: { readonly jsonSchema: JSONSchema.BaseSchema }): void {
  if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
  if (jsonSchema.format !== undefined) delete jsonSchema.pattern;
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
}
