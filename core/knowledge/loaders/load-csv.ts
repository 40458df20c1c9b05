import { CsvError, parse } from 'csv-parse/sync';
import { DocumentError } from '../document-error.ts';
import { BlockCollector } from './block-collector.ts';
import { csvDelimiter } from './csv-delimiter.ts';
import { entitle } from './entitle.ts';
import type { LoadedDocument } from './loaded-document.ts';
import type { LoadingLimits } from './loading-limits.ts';
import { rowLines, withLabel } from './row-lines.ts';

const MAX_LABEL_CHARACTERS = 80;

/** Reads a table of delimited values: a block a record, `column: value` on each line. Throws a DocumentError. */
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
  return entitle(collector, { title: null, url: null });
}

function parseRecords(text: string): readonly (readonly string[])[] {
  try {
    return parse(text, {
      bom: true,
      delimiter: csvDelimiter(text),
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

/** A header names every column, once, in words. */
function isHeader(record: readonly string[]): boolean {
  const named = record.every(
    (cell) => /\p{L}/u.test(cell) && cell.length <= MAX_LABEL_CHARACTERS && !cell.includes('@'),
  );
  return named && new Set(record).size === record.length;
}

function labelledLines(labels: readonly string[], record: readonly string[]): string {
  return record
    .map((value, column) => (value === '' ? '' : withLabel(labels[column] ?? '', value)))
    .filter((line) => line !== '')
    .join('\n');
}
