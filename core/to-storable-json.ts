import { storableJson } from './storable-json.ts';

/** As JSON that a database can hold: what it cannot is left out, for the rest would never be taken with it. */
export function toStorableJson(values: readonly object[]): string {
  const json = JSON.stringify(values);
  const storable = storableJson(values, json);
  return storable === values ? json : JSON.stringify(storable);
}
