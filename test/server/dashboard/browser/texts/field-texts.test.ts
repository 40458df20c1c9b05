import { expect, test } from 'vitest';
import { z } from 'zod';
import { connectors } from '../../../../../connectors/registry.ts';
import { sourceKinds } from '../../../../../core/sources/source-kinds.ts';
import { describeSettings } from '../../../../../server/admin/settings/setting-descriptions.ts';
import { german } from '../../../../../server/dashboard/browser/texts/german.ts';

const strings = z.array(z.string()).optional();
const fieldSchema = z.object({
  description: z.string().optional(),
  'x-effect': z.string().optional(),
  enum: strings,
  get items() {
    return fieldSchema.optional();
  },
  get properties() {
    return z.record(z.string(), fieldSchema).optional();
  },
});
type Field = z.output<typeof fieldSchema>;

/** Every field of the schema by its path, and those within it. */
function listFields({ properties = {}, items }: Field, path = ''): readonly (readonly [string, Field])[] {
  const inner = Object.entries(properties).flatMap(([key, field]) => {
    const own = path === '' ? key : `${path}.${key}`;
    return [[own, field] as const, ...listFields(field, own)];
  });
  return [...inner, ...(items === undefined ? [] : listFields(items, path))];
}

const fields = listFields(fieldSchema.parse(describeSettings({ plan: 'growth', settings: {} })));

test.each(fields)(
  'the setting %s has German words for all that the server says in English',
  (path, field) => {
    const words = german.fields[path] ?? german.fields[path.split('.').at(-1) ?? ''];
    expect(words?.title).toMatch(/^\p{Lu}/u);
    expect(words?.description === undefined).toBe(field.description === undefined);
    expect(words?.effect === undefined).toBe(field['x-effect'] === undefined);
    const options = field.enum ?? field.items?.enum ?? [];
    expect(Object.keys(words?.options ?? {})).toEqual(options);
  },
);

test('no German words are left of a field that is gone', () => {
  const known = new Set(fields.flatMap(([path]) => [path, path.split('.').at(-1) ?? '']));
  expect(Object.keys(german.fields).filter((key) => !known.has(key))).toEqual([]);
});

const channelFields = connectors.flatMap(({ manifest }) =>
  [manifest.credentials, manifest.settings].flatMap((schema) => {
    const described = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
    return listFields(fieldSchema.parse(described)).map(
      ([path, field]) => [manifest.channel, path.split('.').at(-1) ?? '', field] as const,
    );
  }),
);

test.each(channelFields)('the field %s.%s of a channel has German words', (kind, key, field) => {
  const words = german.channelFields[`${kind}.${key}`] ?? german.channelFields[key];
  expect(words?.title).toMatch(/^[\p{Lu}]/u);
  expect(words?.description).toMatch(/\.$/);
  expect(Object.keys(words?.options ?? {})).toEqual(field.enum ?? []);
});

test('no German words are left of a channel field that is gone', () => {
  const known = new Set(channelFields.flatMap(([kind, key]) => [key, `${kind}.${key}`]));
  expect(Object.keys(german.channelFields).filter((key) => !known.has(key))).toEqual([]);
});

const sourceFields = sourceKinds({ folders: [] }).flatMap(({ kind, settings, credentials }) =>
  [settings, credentials].flatMap((schema) => {
    const described = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
    return listFields(fieldSchema.parse(described)).map(([key, field]) => [kind, key, field] as const);
  }),
);

test.each(sourceFields)('the field %s.%s of a source has German words', (kind, key, field) => {
  const words = german.sourceFields[`${kind}.${key}`] ?? german.sourceFields[key];
  expect(words?.title).toMatch(/^[\p{Lu}]/u);
  expect(words?.description).toMatch(/\.$/);
  expect(Object.keys(words?.options ?? {})).toEqual(field.enum ?? []);
});

test('no German words are left of a source field that is gone', () => {
  const known = new Set(sourceFields.flatMap(([kind, key]) => [key, `${kind}.${key}`]));
  expect(Object.keys(german.sourceFields).filter((key) => !known.has(key))).toEqual([]);
});
