import type { Source, SourceKind } from '../../api/queries/sources.ts';
import { type Fields, isFields, type JsonSchema } from '../../parts/schema-form/json-schema.ts';
import { wordKindSchema } from '../../parts/schema-form/word-schema.ts';
import type { Catalogue } from '../../texts/english.ts';

type Properties = Readonly<Record<string, JsonSchema>>;

/** The fields of every source, for the same form as the settings of its kind. */
export function commonFields(
  { sources }: Catalogue,
  { audiences, minutes }: { readonly audiences: readonly string[]; readonly minutes?: number | null },
): Properties {
  const { fields } = sources;
  const offered = Object.keys(fields.schedules);
  const own = minutes === undefined || minutes === null ? 'never' : String(minutes);
  const isListed = offered.includes(own);
  return {
    schedule: {
      type: 'string',
      title: fields.schedule,
      description: fields.scheduleHint,
      enum: isListed ? offered : [...offered, own],
      'x-options': {
        ...fields.schedules,
        ...(!isListed && { [own]: fields.everyMinutes(Number(own)) }),
      },
    },
    include: patterns(fields.include, fields.includeHint),
    exclude: patterns(fields.exclude, fields.excludeHint),
    ...(audiences.length > 0 && {
      audience: {
        type: 'array',
        title: fields.audience,
        description: fields.audienceHint,
        items: { type: 'string', enum: audiences },
      },
    }),
    max_items: {
      type: 'integer',
      title: fields.maxItems,
      description: fields.maxItemsHint,
      minimum: 1,
      maximum: 20_000,
    },
  };
}

function patterns(title: string, description: string): JsonSchema {
  return { type: 'array', title, description, items: { type: 'string', maxLength: 500 }, maxItems: 100 };
}

export const commonDefaults: Fields = {
  schedule: '1440',
  include: [],
  exclude: [],
  audience: [],
  max_items: 2_000,
};

/** The values of `commonFields` as a stored source has them. */
export function commonValues({
  schedule_minutes: minutes,
  include,
  exclude,
  audience,
  max_items,
}: Source): Fields {
  return { schedule: minutes === null ? 'never' : String(minutes), include, exclude, audience, max_items };
}

/** The fields of a form in the form of the API. */
export function readCommon(fields: Fields) {
  const { schedule, include, exclude, audience, max_items: most } = fields;
  return {
    schedule_minutes: typeof schedule === 'string' && schedule !== 'never' ? Number(schedule) : null,
    include: strings(include),
    exclude: strings(exclude),
    audience: strings(audience),
    max_items: typeof most === 'number' ? most : 2_000,
  };
}

const strings = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((each) => typeof each === 'string' && each.trim() !== '') : [];

/** The schema of the settings or credentials of a kind, in the language of the person. Its texts have one line. */
export function kindSchema(kind: SourceKind, part: 'settings' | 'credentials', texts: Catalogue): JsonSchema {
  const { properties = {}, ...schema } = wordKindSchema(kind[part], texts.sourceFields, kind.kind);
  const onOneLine = Object.entries(properties).map(([key, { maxLength: _most, ...field }]) => [key, field]);
  return { ...schema, properties: Object.fromEntries(onOneLine) };
}

/** Those of `fields` that a schema has and that are filled in. */
export function pickFields(fields: Fields, { properties = {} }: JsonSchema): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).filter(
      ([key, value]) =>
        properties[key] !== undefined && value !== null && value !== undefined && value !== '',
    ),
  );
}

export function hasFields({ properties }: JsonSchema): boolean {
  return isFields(properties) && Object.keys(properties).length > 0;
}
