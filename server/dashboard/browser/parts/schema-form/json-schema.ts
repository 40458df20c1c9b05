/** The part of JSON Schema that the server describes fields with. */
export interface JsonSchema {
  readonly type?: string | readonly string[];
  readonly title?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly format?: string;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly items?: JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly maxItems?: number;
  readonly writeOnly?: boolean;
  /** The effect of the value on visitors. */
  readonly 'x-effect'?: string;
  /** The names of the values to choose from. */
  readonly 'x-options'?: Readonly<Record<string, string>>;
}

export type Fields = Readonly<Record<string, unknown>>;

export type FieldKind =
  | 'secret'
  | 'choice'
  | 'switch'
  | 'number'
  | 'text'
  | 'long-text'
  | 'list'
  | 'group'
  | 'json';

/** A text that may be longer than this is written in several lines. */
const longText = 200;

/** Chooses how a field is drawn. */
export function fieldKind(schema: JsonSchema): FieldKind {
  const { type, format, writeOnly, maxLength = 0, items, properties } = withoutNull(schema);
  if (choicesOf(schema) !== null) return 'choice';
  if (type === 'boolean') return 'switch';
  if (type === 'integer' || type === 'number') return 'number';
  if (type === 'array' && items !== undefined) return 'list';
  if (type === 'object' && properties !== undefined) return 'group';
  if (type !== 'string') return 'json';
  if (writeOnly === true || format === 'password') return 'secret';
  return maxLength > longText ? 'long-text' : 'text';
}

/** The values to choose from, or null if any may be written. */
export function choicesOf(schema: JsonSchema): readonly string[] | null {
  const { enum: listed, oneOf, anyOf } = withoutNull(schema);
  const values = listed ?? (oneOf ?? anyOf)?.map((option) => option.const);
  return values?.every((value) => typeof value === 'string') ? values : null;
}

/** A field that may be null is drawn as one that may be left out. */
export function withoutNull(schema: JsonSchema): JsonSchema {
  const options = schema.anyOf?.filter(({ type }) => type !== 'null');
  const [only] = options ?? [];
  if (options?.length === 1 && only !== undefined) {
    const { anyOf, ...outer } = schema;
    return { ...only, ...outer };
  }
  if (typeof schema.type === 'object') {
    const type = schema.type.find((name) => name !== 'null');
    return { ...schema, ...(type !== undefined && { type }) };
  }
  return schema;
}

/** The name of a field as a person reads it: its title, or `bot_token` as “Bot token”. */
export function labelOf(key: string, { title }: JsonSchema): string {
  if (title !== undefined) return title;
  const words = key.replaceAll('_', ' ');
  const short = words.replace(/\b(url|id|api|sla|ip)\b/g, (word) => word.toUpperCase());
  return short.charAt(0).toUpperCase() + short.slice(1);
}

/** The name of a value to choose, as a person reads it. */
export function optionName(schema: JsonSchema, value: string): string {
  return withoutNull(schema)['x-options']?.[value] ?? labelOf(value, {});
}

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns `fields` with another value of `key`, without the key if the value is undefined. */
export function withField(fields: Fields, key: string, value: unknown): Fields {
  const { [key]: _former, ...others } = fields;
  return value === undefined ? others : { ...others, [key]: value };
}

export function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one ?? null) === JSON.stringify(other ?? null);
}
