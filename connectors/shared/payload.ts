import { z } from 'zod';
import type { Json } from '../../core/contract/account.ts';

const decoder = new TextDecoder();

/** Parses a body as JSON; returns undefined if it is not JSON. */
export function parseJson(body: Uint8Array): Json | undefined {
  try {
    const value: Json = JSON.parse(decoder.decode(body));
    return value;
  } catch {
    return undefined;
  }
}

/** Part of a value that was parsed as JSON before. Validating it again would cost far more than the parsing. */
export const jsonValue = z.custom<Json>((value) => value !== undefined);

/** A field of a platform's payload: null if it is missing or has an unexpected shape. */
export function optionalField<Schema extends z.ZodType>(schema: Schema) {
  return schema.nullable().catch(null).prefault(null);
}
