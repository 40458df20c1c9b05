import { parseAllDocuments } from 'yaml';
import { DocumentError } from '../../documents/document-error.ts';
import { labelValue } from '../../passage.ts';
import { BlockCollector, renderTable } from '../block-collector.ts';
import { loadMarkdown } from '../load-markdown.ts';
import type { LoadedDocument, LoadingLimits } from '../loader.ts';
import { detectTitle } from '../metadata.ts';
import { type Fields, isFields } from './fields.ts';
import { isApiDescription, renderApiDescription } from './openapi-markdown.ts';

/** YAML is parsed much slower than JSON. */
const MAX_YAML_BYTES = 3 * 2 ** 20;

/** Returns an OpenAPI or Swagger description in JSON or YAML. Null for anything else. */
export function parseApiDescription(bytes: Uint8Array): Fields | null {
  const text = Buffer.from(bytes).toString('utf8');
  try {
    const isJson = /^[\s\ufeff]*\{/.test(text.slice(0, 1_000));
    if (!isJson && bytes.byteLength > MAX_YAML_BYTES) return null;
    const value: unknown = isJson ? parseJson(text) : parseYaml(text)[0];
    return isApiDescription(value) ? value : null;
  } catch (error) {
    if (error instanceof DocumentError || error instanceof RangeError || error instanceof ReferenceError)
      return null;
    throw error;
  }
}

/** Reads JSON. Throws a DocumentError. */
export function loadJson(text: string, limits: LoadingLimits): LoadedDocument {
  return loadData([parseJson(text)], limits);
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\ufeff/, ''));
  } catch (cause) {
    throw new DocumentError('corrupt_file', 'This JSON file', { cause });
  }
}

/** Aliases that repeat more than this are an attack: each can stand for all before it. */
const MAX_ALIASES = 100;

/** Reads YAML, also of several documents. Throws a DocumentError. */
export function loadYaml(text: string, limits: LoadingLimits): LoadedDocument {
  return loadData(parseYaml(text), limits);
}

function parseYaml(text: string): readonly unknown[] {
  try {
    const documents = parseAllDocuments(text, { logLevel: 'error' });
    return [...documents].map((document) => {
      const [error] = document.errors;
      if (error !== undefined) throw error;
      return document.toJS({ maxAliasCount: MAX_ALIASES });
    });
  } catch (cause) {
    if (cause instanceof RangeError) throw cause;
    throw new DocumentError('corrupt_file', 'This YAML file', { cause });
  }
}

/** Reads an OpenAPI description as one section per operation, and any other data by its keys. */
function loadData(values: readonly unknown[], limits: LoadingLimits): LoadedDocument {
  const [first] = values;
  if (isApiDescription(first)) return loadMarkdown(renderApiDescription(first), limits);
  const collector = new BlockCollector(limits);
  for (const value of values) addValue(value, { collector, level: 2 });
  const title = isFields(first) && typeof first.title === 'string' ? first.title : null;
  return detectTitle(collector, { title, url: null });
}

interface Target {
  readonly collector: BlockCollector;
  /** The level of the next heading. */
  readonly level: number;
}

const MAX_LEVEL = 6;

function addValue(value: unknown, { collector, level }: Target): void {
  if (Array.isArray(value)) addList(value, { collector, level });
  else if (!isFields(value)) collector.add('paragraph', scalarText(value));
  else {
    const entries = Object.entries(value);
    const plain = entries.filter(([, inner]) => !isNested(inner));
    const lines = plain.map(([key, inner]) => labelValue(key, scalarText(inner)));
    collector.add('table', lines.join('\n'));
    for (const [key, inner] of entries) {
      if (!isNested(inner)) continue;
      if (level > MAX_LEVEL) collector.add('code', `${key}: ${JSON.stringify(inner)}`);
      else {
        collector.heading(level, key);
        addValue(inner, { collector, level: level + 1 });
        collector.close(level);
      }
    }
  }
}

function isNested(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : isFields(value) && Object.keys(value).length > 0;
}

function scalarText(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'object' ? '' : String(value);
}

const MAX_COLUMNS = 200;

/** Objects of a list are rows of a table, with the keys as its labels. */
function addList(values: readonly unknown[], { collector, level }: Target): void {
  if (values.every((value) => !isNested(value)))
    collector.add('list', values.map((value) => `- ${scalarText(value)}`).join('\n'));
  else if (values.every(isFields)) {
    const labels = [...new Set(values.flatMap((value) => Object.keys(value)))].slice(0, MAX_COLUMNS);
    const rows = values.map((value) => labels.map((label) => cellText(value[label])));
    const { text, form } = renderTable(labels, rows);
    collector.add('table', text, form);
  } else for (const value of values) addValue(value, { collector, level });
}

function cellText(value: unknown): string {
  if (Array.isArray(value) && value.every((one) => !isNested(one))) return value.map(scalarText).join(', ');
  return isNested(value) ? JSON.stringify(value) : scalarText(value);
}
