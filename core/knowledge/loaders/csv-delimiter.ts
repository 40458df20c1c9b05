import { CsvError, parse } from 'csv-parse/sync';

const CANDIDATES = [',', ';', '\t', '|'];
const SAMPLE_RECORDS = 20;
const SAMPLE_CHARACTERS = 100_000;

/** The delimiter that splits the first records into the most columns, all of them alike. */
export function csvDelimiter(text: string): string {
  const sample = text.slice(0, SAMPLE_CHARACTERS);
  const scores = CANDIDATES.map((delimiter) => ({ delimiter, score: columnScore(sample, delimiter) }));
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
    // The sample may end within a quoted value, and with the wrong delimiter quotes stand in odd places.
    if (error instanceof CsvError) return [];
    throw error;
  }
}
