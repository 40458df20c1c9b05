import { type Fields, fieldsOf } from './read-fields.ts';

/** `before` with what is given in place of it; null clears a field. */
export function mergeFields(before: unknown, given: Fields): Fields {
  const merged = { ...fieldsOf(before), ...given };
  return Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== null));
}
