import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { AppError } from '../base/errors.ts';
import { type Fields, parseFields, toFields } from '../base/fields.ts';
import type { SealedPlace, SecretBox } from '../secrets/secret-box.ts';
import type { AnySourceKind } from './source-kinds.ts';
import type { SourceRecord } from './source-record.ts';

/**
 * Returns the settings or credentials of a source as they are stored. Throws `invalid_settings` or `invalid_credentials`
 * with the name of the field, also for one that the kind does not have.
 */
export function parseValues(what: 'settings' | 'credentials', kind: AnySourceKind, given: Fields): Fields {
  const schema = kind[what];
  const known = Object.keys(describeValues(schema).properties ?? {});
  const unknown = Object.keys(given).find((name) => !known.includes(name));
  if (unknown !== undefined) {
    const offered = known.length === 0 ? 'It has none' : `Use: ${known.join(', ')}`;
    throw new AppError(`invalid_${what}`, {
      detail: `${what}.${unknown} does not exist for the kind ${kind.kind}. ${offered}.`,
    });
  }
  return parseFields(what, schema, given);
}

const jsonSchema = z.looseObject({ properties: z.record(z.string(), z.unknown()).optional() });

/** Returns the JSON schema of the input, in which fields with a default may be left out. */
export function describeValues(schema: z.ZodType): z.output<typeof jsonSchema> {
  const { $schema: _, ...described } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  return jsonSchema.parse(described);
}

const placeOf = (id: string): SealedPlace => ({ table: 'source', column: 'credentials_encrypted', id });

/** Null if there is nothing to seal. */
export function sealCredentials(secretBox: SecretBox, id: string, credentials: Fields): string | null {
  if (Object.keys(credentials).length === 0) return null;
  return secretBox.seal(JSON.stringify(credentials), placeOf(id));
}

export function openCredentials(secretBox: SecretBox, id: string, sealed: string | null): Fields {
  if (sealed === null) return {};
  return z.record(z.string(), z.unknown()).parse(JSON.parse(secretBox.open(sealed, placeOf(id))));
}

/** Returns the names of the fields in which a change differs, as the API has them. */
export function changedFields(
  before: SourceRecord,
  next: Partial<Record<keyof SourceRecord, unknown>>,
): string[] {
  const names = {
    name: 'name',
    settings: 'settings',
    audience: 'audience',
    include: 'include',
    exclude: 'exclude',
    maxItems: 'max_items',
    scheduleMinutes: 'schedule_minutes',
  } as const;
  return Object.entries(names).flatMap(([field, name]) => {
    const value = toFields(next)[field];
    return value === undefined || isDeepStrictEqual(value, toFields(before)[field]) ? [] : [name];
  });
}
