import type { Json } from '../../core/contract/account.ts';

const decoder = new TextDecoder();

/** What a body holds; undefined where that is no JSON. */
export function readJson(body: Uint8Array): Json | undefined {
  try {
    const value: Json = JSON.parse(decoder.decode(body));
    return value;
  } catch {
    return undefined;
  }
}
