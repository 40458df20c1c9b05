import { CsvError, parse } from 'csv-parse/sync';
import { z } from 'zod';
import {
  type CuratedAction,
  type CuratedContent,
  curatedActions,
  curatedLimits,
  toSourceKey,
} from './curated-answer.ts';
import type { NewCuratedAnswer } from './store-answers.ts';

/** The columns of a file of curated answers. Phrasings stand on lines of their own, audience tags between commas. */
const csvColumns = ['question', 'phrasings', 'answer', 'action', 'audience', 'valid_until'] as const;
export const MAX_CSV_ROWS = 200;

export const csvFaults = [
  'unreadable',
  'no_rows',
  'too_many_rows',
  'missing_column',
  'unknown_column',
  'question_missing',
  'question_too_long',
  'too_many_phrasings',
  'phrasing_too_long',
  'unknown_action',
  'answer_missing',
  'answer_too_long',
  'unknown_audience',
  'invalid_date',
  'same_question_twice',
] as const;

/** Why a row cannot be stored. */
export interface CsvFault {
  /** As a spreadsheet counts: the head is row 1. */
  readonly row: number;
  readonly code: (typeof csvFaults)[number];
  /** The text at fault. */
  readonly text: string;
}

interface CsvRow {
  readonly row: number;
  readonly cell: (column: (typeof csvColumns)[number]) => string;
}

/** Reads answers from a file. If any row is at fault there are no answers, but all faults. Pure. */
export function parseCuratedCsv(
  csv: string,
  audiences: readonly string[],
): { readonly answers: readonly NewCuratedAnswer[]; readonly faults: readonly CsvFault[] } {
  const { rows, faults } = readRows(csv);
  if (faults.length > 0) return { answers: [], faults };
  const read = rows.map((row) => readAnswer(row, audiences));
  const found = [...read.flatMap(({ faults: ofRow }) => ofRow), ...findRepetitions(rows, read)];
  if (found.length > 0) return { answers: [], faults: found.toSorted((one, other) => one.row - other.row) };
  return { answers: read.map(({ answer }) => answer), faults: [] };
}

/** Returns answers as a file that `parseCuratedCsv` reads. Pure. */
export function renderCuratedCsv(answers: readonly NewCuratedAnswer[]): string {
  const rows = answers.map((answer) => [
    answer.question,
    answer.phrasings.join('\n'),
    answer.answer ?? '',
    answer.action,
    answer.audience.join(', '),
    answer.validUntil?.toISOString() ?? '',
  ]);
  return [[...csvColumns], ...rows].map((cells) => `${cells.map(renderCell).join(',')}\r\n`).join('');
}

/** A spreadsheet would compute a cell that begins like a formula: it gets an apostrophe in front, which reading removes. */
const FORMULA = /^[=+\-@\t\r]/;
const QUOTED_FORMULA = /^'(?=[=+\-@\t\r])/;

function renderCell(text: string): string {
  const safe = FORMULA.test(text) ? `'${text}` : text;
  return `"${safe.replaceAll('"', '""')}"`;
}

const recordsSchema = z.array(z.array(z.string()));

function readRows(csv: string): { readonly rows: readonly CsvRow[]; readonly faults: readonly CsvFault[] } {
  const records = parseRecords(csv);
  if (typeof records === 'string') return fail('unreadable', records);
  const [head = [], ...others] = records;
  const columns = head.map((name) => name.trim().toLowerCase());
  const known: readonly string[] = csvColumns;
  const unknown = columns.find((name) => !known.includes(name));
  if (!columns.includes('question')) return fail('missing_column', 'question');
  if (unknown !== undefined) return fail('unknown_column', unknown);
  const rows = others
    .map((cells, index) => ({
      row: index + 2,
      isEmpty: cells.every((cell) => cell.trim() === ''),
      cell: (column: string) => (cells[columns.indexOf(column)] ?? '').trim().replace(QUOTED_FORMULA, ''),
    }))
    .filter(({ isEmpty }) => !isEmpty);
  if (rows.length === 0) return fail('no_rows', '');
  if (rows.length > MAX_CSV_ROWS) return fail('too_many_rows', String(rows.length));
  return { rows, faults: [] };
}

function fail(code: CsvFault['code'], text: string) {
  return { rows: [], faults: [{ row: 1, code, text }] };
}

/** Returns the cells of each row, or why the file cannot be read. */
function parseRecords(csv: string): readonly (readonly string[])[] | string {
  const [head = ''] = csv.split('\n', 1);
  const delimiter = [';', '\t'].find((sign) => head.includes(sign)) ?? ',';
  try {
    return recordsSchema.parse(parse(csv, { bom: true, delimiter, relax_column_count: true }));
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    return error.message;
  }
}

function readAnswer({ row, cell }: CsvRow, audiences: readonly string[]) {
  const faults: CsvFault[] = [];
  const blame = (code: CsvFault['code'], text: string) => faults.push({ row, code, text });
  const action = readAction(cell);
  if (action === null) blame('unknown_action', cell('action'));
  const audience = split(cell('audience'), ',');
  for (const tag of audience) if (!audiences.includes(tag)) blame('unknown_audience', tag);
  const validUntil = readDate(cell('valid_until'));
  if (validUntil === undefined) blame('invalid_date', cell('valid_until'));
  const answer = {
    question: cell('question'),
    phrasings: split(cell('phrasings'), '\n'),
    action: action ?? 'answer',
    answer: action === 'answer' ? cell('answer') : null,
    audience,
    validUntil: validUntil ?? null,
  };
  for (const { code, text } of findContentFaults(answer)) blame(code, text);
  return { answer, faults };
}

/** A row without an action answers, if it has an answer. */
function readAction(cell: CsvRow['cell']): CuratedAction | null {
  const name = cell('action').toLowerCase();
  if (name === '') return 'answer';
  return curatedActions.find((action) => action === name) ?? null;
}

/** Returns undefined for a text that is no date. A date without a time ends with its last moment in UTC. */
function readDate(text: string): Date | null | undefined {
  if (text === '') return null;
  const isDay = z.iso.date().safeParse(text).success;
  const parsed = z.iso.datetime({ offset: true }).safeParse(isDay ? `${text}T23:59:59Z` : text);
  return parsed.success ? new Date(parsed.data) : undefined;
}

function split(text: string, separator: string): string[] {
  return [...new Set(text.split(separator).map((part) => part.trim()))].filter((part) => part !== '');
}

function findContentFaults(content: CuratedContent): readonly Pick<CsvFault, 'code' | 'text'>[] {
  const { question, phrasings, action, answer } = content;
  const { questionCharacters, answerCharacters } = curatedLimits;
  const long = phrasings.find((phrasing) => phrasing.length > questionCharacters);
  const isMissing = action === 'answer' && answer === '';
  return [
    ...(question === '' ? [{ code: 'question_missing' as const, text: '' }] : []),
    ...(question.length > questionCharacters ? [{ code: 'question_too_long' as const, text: question }] : []),
    ...(phrasings.length > curatedLimits.phrasings
      ? [{ code: 'too_many_phrasings' as const, text: String(phrasings.length) }]
      : []),
    ...(long === undefined ? [] : [{ code: 'phrasing_too_long' as const, text: long }]),
    ...(isMissing ? [{ code: 'answer_missing' as const, text: '' }] : []),
    ...((answer ?? '').length > answerCharacters
      ? [{ code: 'answer_too_long' as const, text: question }]
      : []),
  ];
}

function findRepetitions(
  rows: readonly CsvRow[],
  read: readonly { readonly answer: NewCuratedAnswer }[],
): readonly CsvFault[] {
  const seen = new Set<string>();
  return read.flatMap(({ answer }, index) => {
    const key = toSourceKey(answer.question, answer.audience);
    const isNew = !seen.has(key);
    seen.add(key);
    const row = rows[index]?.row ?? 0;
    return isNew || answer.question === ''
      ? []
      : [{ row, code: 'same_question_twice' as const, text: answer.question }];
  });
}
