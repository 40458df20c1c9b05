import { CsvError, parse } from 'csv-parse/sync';
import { DocumentError } from '../documents/document-error.ts';
import { BlockCollector } from './block-collector.ts';
import type { LoadedDocument, LoadingLimits } from './loader.ts';
import { detectTitle } from './metadata.ts';
import {
  cleanCell,
  requireFewCells,
  type Sheet,
  type SheetCell,
  type SheetRow,
} from './office/read-sheet.ts';
import { collectSheet } from './office/sheet-regions.ts';

/** Reads delimited values as the tables of a sheet (`collectSheet`). Throws a DocumentError. */
export function loadCsv(text: string, limits: LoadingLimits): LoadedDocument {
  const collector = new BlockCollector(limits);
  collectSheet(toSheet(parseRecords(text)), collector, null);
  return detectTitle(collector, { title: null, url: null });
}

type CsvRecord = readonly string[];

function parseRecords(text: string): readonly CsvRecord[] {
  try {
    return parse(text, {
      bom: true,
      delimiter: detectDelimiter(text),
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: false,
      trim: true,
    });
  } catch (cause) {
    if (!(cause instanceof CsvError)) throw cause;
    throw new DocumentError('corrupt_file', `The table (${cause.message})`, { cause });
  }
}

/** Blank lines separate tables, unless there is one after every record. */
const MAX_BLANK_SHARE = 0.3;

/** Places records on a sheet. The lines above the header that have several values are separated from the table. */
function toSheet(records: readonly CsvRecord[]): Sheet {
  const lines = records.map((values, index) => ({ values, number: index + 1 }));
  const filled = lines.filter(({ values }) => !isBlank(values));
  const isSpaced = records.length - filled.length > records.length * MAX_BLANK_SHARE;
  const placed = isSpaced ? filled : lines;
  const values = placed.map((line) => line.values);
  const header = findHeader(values);
  const lastAbove = values.slice(0, Math.max(0, header)).findLastIndex((record) => valueCount(record) > 1);
  const sheet = new Map<number, SheetRow>();
  let filledCells = 0;
  for (const [index, line] of placed.entries()) {
    if (isBlank(line.values)) continue;
    filledCells += valueCount(line.values);
    requireFewCells(filledCells);
    const cells = line.values.map((value, column) => [column, toCell(value, index === header)] as const);
    const position = lastAbove >= 0 && index > lastAbove ? index + 1 : index;
    sheet.set(position, {
      number: line.number,
      cells: new Map(cells.filter(([, { text }]) => text !== '')),
    });
  }
  return sheet;
}

function isBlank(record: CsvRecord): boolean {
  return record.every((value) => value === '');
}

function valueCount(record: CsvRecord): number {
  return record.filter((value) => value !== '').length;
}

/** A header stands among the first lines, below at most some titles and notes. */
const MAX_LINES_ABOVE = 10;
const MAX_LABEL_CHARACTERS = 80;

/** Returns the index of the first full line if its values are labels, or -1. */
function findHeader(lines: readonly CsvRecord[]): number {
  const width = mostFrequent(lines.map((record) => record.length));
  const index = lines
    .slice(0, MAX_LINES_ABOVE + 1)
    .findIndex((record) => valueCount(record) * 4 >= width * 3);
  const record = lines[index];
  if (record === undefined || width < 2) return -1;
  const labels = record.filter((value) => value !== '');
  const named = labels.every(
    (label) => /\p{L}/u.test(label) && label.length <= MAX_LABEL_CHARACTERS && !label.includes('@'),
  );
  return named && new Set(labels).size === labels.length ? index : -1;
}

const MAX_NUMBER_CHARACTERS = 30;
const NUMBER = /^[^\p{L}\d]{0,4}(?:[A-Z]{3} ?)?\d[\d.,'’ :/-]*(?: ?(?:%|\p{Sc}|[A-Z]{3}|\p{L}{1,2}))?$/u;

function toCell(value: string, isHeader: boolean): SheetCell {
  const text = cleanCell(value);
  const isText = text.length > MAX_NUMBER_CHARACTERS || !NUMBER.test(text);
  // A header of a file of values is as certain as one that a sheet shows in bold.
  return { text, isText, bold: isHeader, columns: 1, rows: 1 };
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

/** Lines above and below the tables have other counts, so the most frequent one counts. */
function columnScore(sample: string, delimiter: string): number {
  const widths = columnCounts(sample, delimiter);
  const several = widths.filter((width) => width > 1);
  const usual = mostFrequent(several);
  const alike = several.filter((width) => width === usual).length / (widths.length || 1);
  return alike * 1000 + usual;
}

function mostFrequent(values: readonly number[]): number {
  const counts = new Map<number, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].reduce((most, one) => (one[1] > most[1] ? one : most), [0, 0])[0];
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
