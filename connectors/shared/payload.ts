import { z } from 'zod';
import type { Json } from '../../core/contract/account.ts';

const decoder = new TextDecoder();

/** What a body holds; undefined where that is no JSON. */
export function parseJson(body: Uint8Array): Json | undefined {
  try {
    const value: Json = JSON.parse(decoder.decode(body));
    return value;
  } catch {
    return undefined;
  }
}

/** A part of what was read as JSON before: it is not gone through once more, which costs far more than the reading. */
export const jsonValue = z.custom<Json>((value) => value !== undefined);

/** A field of a platform's payload: null where it is missing, or not what we know of it. */
export function optionalField<Schema extends z.ZodType>(schema: Schema) {
  return schema.nullable().catch(null).prefault(null);
}
