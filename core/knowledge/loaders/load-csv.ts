import { CsvError, parse } from 'csv-parse/sync';
import { DocumentError } from '../documents/document-error.ts';
import { labelValue, rowLines } from '../passage.ts';
import { BlockCollector } from './block-collector.ts';
import type { LoadedDocument, LoadingLimits } from './loader.ts';
import { detectTitle } from './metadata.ts';

const MAX_LABEL_CHARACTERS = 80;

/** Reads delimited values into one block per record with a line `column: value` per field. Throws a DocumentError. */
export function loadCsv(text: string, limits: LoadingLimits): LoadedDocument {
  const records = parseRecords(text);
  const [first = [], ...others] = records;
  const labels = others.length > 0 && isHeader(first) ? first : null;
  const collector = new BlockCollector(limits);
  for (const record of labels === null ? records : others) {
    collector.add(
      'table',
      labels === null ? rowLines([], [record]).join('\n') : labelledLines(labels, record),
    );
  }
  return detectTitle(collector, { title: null, url: null });
}

function parseRecords(text: string): readonly (readonly string[])[] {
  try {
    return parse(text, {
      bom: true,
      delimiter: detectDelimiter(text),
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
      trim: true,
    });
  } catch (cause) {
    if (!(cause instanceof CsvError)) throw cause;
    throw new DocumentError('corrupt_file', `The table (${cause.message})`, { cause });
  }
}

/** A header row has a short, distinct label with letters in every column. */
function isHeader(record: readonly string[]): boolean {
  const named = record.every(
    (cell) => /\p{L}/u.test(cell) && cell.length <= MAX_LABEL_CHARACTERS && !cell.includes('@'),
  );
  return named && new Set(record).size === record.length;
}

function labelledLines(labels: readonly string[], record: readonly string[]): string {
  return record
    .map((value, column) => (value === '' ? '' : labelValue(labels[column] ?? '', value)))
    .filter((line) => line !== '')
    .join('\n');
}

const DELIMITERS = [',', ';', '\t', '|'];
const SAMPLE_RECORDS = 20;
const SAMPLE_CHARACTERS = 100_000;

/** Returns the delimiter with the most consistent column count over the first records; ties go to more columns. */
function detectDelimiter(text: string): string {
  const sample = text.slice(0, SAMPLE_CHARACTERS);
  const scores = DELIMITERS.map((delimiter) => ({ delimiter, score: columnScore(sample, delimiter) }));
  return scores.reduce((best, one) => (one.score > best.score ? one : best)).delimiter;
}

function columnScore(sample: string, delimiter: string): number {
  const widths = columnCounts(sample, delimiter);
  const [first = 0] = widths;
  const alike = widths.filter((width) => width === first).length / (widths.length || 1);
  return first <= 1 ? 0 : alike * 1000 + first;
}

function columnCounts(sample: string, delimiter: string): readonly number[] {
  try {
    const records: string[][] = parse(sample, {
      bom: true,
      delimiter,
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
      to: SAMPLE_RECORDS,
    });
    return records.map((record) => record.length);
  } catch (error) {
    // The sample may end inside a quoted value, and a wrong delimiter puts quotes in invalid positions.
    if (error instanceof CsvError) return [];
    throw error;
  }
}
