import type { Catalogue } from '../../texts/english.ts';
import { type JsonSchema, withoutNull } from './json-schema.ts';

/** Returns the schema of a channel's credentials or settings with the texts of the catalogue. */
export function wordChannelSchema(schema: JsonSchema, texts: Catalogue['fields'], kind: string): JsonSchema {
  const own = Object.entries(texts).filter(([key]) => key.startsWith(`${kind}.`));
  const named = own.map(([key, words]) => [key.slice(kind.length + 1), words] as const);
  return wordSchema(schema, { ...texts, ...Object.fromEntries(named) });
}

/** Returns the schema with the texts of the catalogue in place of the server's, for its fields and their fields. */
export function wordSchema(schema: JsonSchema, texts: Catalogue['fields'], path = ''): JsonSchema {
  const { properties, items } = withoutNull(schema);
  if (properties === undefined && items === undefined) return schema;
  return {
    ...withoutNull(schema),
    ...(items !== undefined && { items: wordSchema(items, texts, path) }),
    ...(properties !== undefined && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([key, property]) => {
          const own = path === '' ? key : `${path}.${key}`;
          return [key, wordField(wordSchema(property, texts, own), texts[own] ?? texts[key])];
        }),
      ),
    }),
  };
}

function wordField(schema: JsonSchema, words: Catalogue['fields'][string] | undefined): JsonSchema {
  if (words === undefined) return schema;
  const { title, description, effect, options } = words;
  return {
    ...schema,
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    ...(effect !== undefined && { 'x-effect': effect }),
    ...(options !== undefined && { 'x-options': options }),
    ...(options !== undefined &&
      schema.items !== undefined && { items: { ...schema.items, 'x-options': options } }),
  };
}
