import { z } from 'zod';
import { type NotionProperty, plain, type RichText, richTexts } from './notion-markdown.ts';

const idSchema = z.object({ id: z.string() });
const optionSchema = z.object({ name: z.string() });
const personSchema = z.object({ name: z.string().nullish() });
const dateSchema = z.object({ start: z.string(), end: z.string().nullish() });
const fileSchema = z.object({
  name: z.string(),
  file: z.object({ url: z.string() }).nullish(),
  external: z.object({ url: z.string() }).nullish(),
});

/** The values of all kinds of property. https://developers.notion.com/reference/page-property-values */
const valueFields = {
  ...{ title: richTexts, rich_text: richTexts, number: z.number(), checkbox: z.boolean() },
  ...{ select: optionSchema, multi_select: z.array(optionSchema), status: optionSchema, date: dateSchema },
  ...{
    url: z.string(),
    email: z.string(),
    phone_number: z.string(),
    string: z.string(),
    boolean: z.boolean(),
  },
  ...{ people: z.array(personSchema), created_by: personSchema, last_edited_by: personSchema },
  ...{ created_time: z.string(), last_edited_time: z.string(), files: z.array(fileSchema) },
  unique_id: z.object({ prefix: z.string().nullish(), number: z.number().nullish() }),
  verification: z.object({ state: z.string() }),
  relation: z.array(idSchema),
  place: z.object({ name: z.string().nullish(), address: z.string().nullish() }),
};
const valueSchema = z.looseObject({
  ...{ id: z.string().optional(), type: z.string(), has_more: z.boolean().optional() },
  ...z.object(valueFields).partial().shape,
  formula: z.unknown().optional(),
  rollup: z.unknown().optional(),
});
type Value = z.output<typeof valueSchema>;

export const propertiesSchema = z.record(z.string(), z.unknown()).default({});
export type Properties = z.output<typeof propertiesSchema>;

/** Formats of numbers by the names of properties, as the database of a page has them. */
export type NumberFormats = ReadonlyMap<string, string>;

export interface PropertySources {
  /** The title of a related page; null if the integration may not see it. */
  readonly findTitle: (id: string) => Promise<string | null>;
  /** All items of a property that has more of them than the page names. */
  readonly loadAll: (propertyId: string) => Promise<readonly unknown[]>;
  readonly formats: NumberFormats;
}

/** Returns the properties of a page that say something, as text. */
export async function readProperties(
  properties: Properties,
  sources: PropertySources,
): Promise<readonly NotionProperty[]> {
  const found: NotionProperty[] = [];
  for (const [name, property] of Object.entries(properties)) {
    const value = parseValue(property);
    if (value === null || value.type === 'title') continue;
    const text = await readValue(value, { name, sources });
    if (plain(text).trim() !== '') found.push({ name, text });
  }
  return found;
}

export function titleOf(properties: Properties): string {
  const values = Object.values(properties).map(parseValue);
  return plain(values.find((value) => value?.type === 'title')?.title ?? []).trim();
}

/** Returns the files of all properties of files. */
export function filesOf(
  properties: Properties,
): readonly { readonly id: string; readonly name: string; readonly address: string }[] {
  return Object.values(properties).flatMap((property) => {
    const { id = '', files = [] } = parseValue(property) ?? {};
    return files.flatMap(({ name, file, external }) => {
      const address = file?.url ?? external?.url;
      return address === undefined ? [] : [{ id: `${id}/${name}`, name, address }];
    });
  });
}

function parseValue(property: unknown): Value | null {
  const type = z.looseObject({ type: z.string() }).safeParse(property);
  if (!type.success) return null;
  // Only the field of its type is read; null stands for an empty one.
  const kept = Object.entries(type.data).filter(([, value]) => value !== null);
  const parsed = valueSchema.safeParse(Object.fromEntries(kept));
  return parsed.success ? parsed.data : null;
}

interface Naming {
  readonly name: string;
  readonly sources: PropertySources;
}

/** References of a page answer for the first of them only. */
const MOST_NAMED = 25;

async function readValue(value: Value, naming: Naming): Promise<RichText> {
  const { sources } = naming;
  switch (value.type) {
    case 'rich_text':
      return isCut(value, value.rich_text)
        ? richOf(await loadItems(value, sources))
        : (value.rich_text ?? []);
    case 'relation':
      return words(await titles(value, sources));
    case 'people':
      return words(namesOf(isCut(value, value.people) ? await loadItems(value, sources) : [value]));
    case 'formula':
      return readResult(value.formula, naming);
    case 'rollup':
      return readRollup(value.rollup, naming);
    default:
      return words([simpleText(value, formatFor(naming))]);
  }
}

/** A page names at most 25 references, and says so for relations alone. */
function isCut({ id, has_more: hasMore }: Value, items: readonly unknown[] | undefined): boolean {
  return id !== undefined && (hasMore === true || (items?.length ?? 0) >= MOST_NAMED);
}

async function loadItems({ id = '' }: Value, { loadAll }: PropertySources): Promise<readonly Value[]> {
  return (await loadAll(id)).flatMap((item) => parseItem(item) ?? []);
}

/** Lists of items have single values where a page has arrays of them. */
function parseItem(item: unknown): Value | null {
  const parsed = z.looseObject({ type: z.string() }).safeParse(item);
  if (!parsed.success) return null;
  const { type, [parsed.data.type]: own, ...rest } = parsed.data;
  const isList = ['relation', 'people', 'rich_text', 'title'].includes(type);
  return parseValue({ ...rest, type, [type]: isList && !Array.isArray(own) ? [own] : own });
}

const MOST_RELATED = 100;

async function titles(value: Value, sources: PropertySources): Promise<readonly string[]> {
  const items = isCut(value, value.relation) ? await loadItems(value, sources) : [value];
  const ids = items.flatMap(({ relation = [] }) => relation.map(({ id }) => id)).slice(0, MOST_RELATED);
  const found: string[] = [];
  for (const id of ids) found.push((await sources.findTitle(id)) ?? '');
  return found;
}

function namesOf(values: readonly Value[]): readonly string[] {
  return values.flatMap(({ people = [] }) => people.map(({ name }) => name ?? ''));
}

function richOf(values: readonly Value[]): RichText {
  return values.flatMap(({ rich_text: rich, title }) => rich ?? title ?? []);
}

function formatFor({ name, sources }: Naming): string | undefined {
  return sources.formats.get(name);
}

/** The result of a formula is a value of a simple kind. */
function readResult(result: unknown, naming: Naming): RichText {
  const value = parseValue(result);
  return value === null ? [] : words([simpleText(value, formatFor(naming))]);
}

async function readRollup(rollup: unknown, naming: Naming): Promise<RichText> {
  const array = z.looseObject({ type: z.literal('array'), array: z.array(z.unknown()) }).safeParse(rollup);
  if (!array.success) return readResult(rollup, naming);
  const parts: string[] = [];
  for (const item of array.data.array) {
    const value = parseItem(item);
    if (value === null) continue;
    const isTitle = value.type === 'title';
    parts.push(isTitle ? plain(value.title ?? []) : plain(await readValue(value, naming)));
  }
  return words(parts);
}

type Render = (value: Value, format: string | undefined) => string | null | undefined;

const renderers: Readonly<Record<string, Render>> = {
  number: ({ number }, format) => (number === undefined ? '' : formatNumber(number, format)),
  checkbox: ({ checkbox }) => (checkbox === true ? 'Yes' : 'No'),
  boolean: ({ boolean }) => (boolean === true ? 'Yes' : 'No'),
  date: ({ date }) => dateText(date),
  unique_id: ({ unique_id: id }) => joined([id?.prefix ?? '', String(id?.number ?? '')], '-'),
  select: ({ select }) => select?.name,
  multi_select: ({ multi_select: options = [] }) => joined(options.map(({ name }) => name)),
  status: ({ status }) => status?.name,
  files: ({ files = [] }) => joined(files.map(({ name }) => name)),
  place: ({ place }) => joined([place?.name ?? '', place?.address ?? '']),
  created_by: ({ created_by: person }) => person?.name,
  last_edited_by: ({ last_edited_by: person }) => person?.name,
  created_time: (value) => value.created_time,
  last_edited_time: (value) => value.last_edited_time,
  verification: ({ verification }) => verification?.state,
  url: ({ url }) => url,
  email: ({ email }) => email,
  phone_number: ({ phone_number: phone }) => phone,
  string: ({ string }) => string,
};

/** Values of kinds that Notion adds later are left out until their form is known. */
function simpleText(value: Value, format: string | undefined): string {
  return renderers[value.type]?.(value, format) ?? '';
}

function dateText(date: z.output<typeof dateSchema> | undefined): string {
  if (date === undefined) return '';
  const { start, end } = date;
  return end === null || end === undefined ? start : `${start} – ${end}`;
}

/** Names of currencies in Notion whose code is not their first three letters: https://developers.notion.com/reference/property-object#number */
const currencies: Readonly<Record<string, string>> = {
  ...{ dollar: 'USD', australian_dollar: 'AUD', canadian_dollar: 'CAD', singapore_dollar: 'SGD' },
  ...{ euro: 'EUR', pound: 'GBP', yen: 'JPY', ruble: 'RUB', rupee: 'INR', won: 'KRW', yuan: 'CNY' },
  ...{ real: 'BRL', lira: 'TRY', rupiah: 'IDR', franc: 'CHF', hong_kong_dollar: 'HKD', zloty: 'PLN' },
  ...{ new_zealand_dollar: 'NZD', krona: 'SEK', norwegian_krone: 'NOK', mexican_peso: 'MXN', rand: 'ZAR' },
  ...{ new_taiwan_dollar: 'TWD', danish_krone: 'DKK', baht: 'THB', forint: 'HUF', koruna: 'CZK' },
  ...{ shekel: 'ILS', chilean_peso: 'CLP', philippine_peso: 'PHP', dirham: 'AED', colombian_peso: 'COP' },
  ...{
    riyal: 'SAR',
    ringgit: 'MYR',
    leu: 'RON',
    argentine_peso: 'ARS',
    uruguayan_peso: 'UYU',
    peruvian_sol: 'PEN',
  },
};

/** A price without its currency answers nothing. */
function formatNumber(number: number, format: string | undefined): string {
  if (format === 'percent') return `${Number((number * 100).toPrecision(12))} %`;
  const currency = currencies[format ?? ''];
  return currency === undefined ? String(number) : `${number} ${currency}`;
}

function joined(texts: readonly string[], separator = ', '): string {
  return texts.filter((text) => text.trim() !== '').join(separator);
}

function words(texts: readonly string[]): RichText {
  const text = joined(texts);
  return text === '' ? [] : [{ plain_text: text }];
}
