import { makeArchive } from './make-archive.ts';

const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>';

export function relationships(
  targets: Readonly<Record<string, readonly [type: string, target: string]>>,
): string {
  const all = Object.entries(targets).map(
    ([id, [type, target]]) => `<Relationship Id="${id}" Type="${OFFICE}/${type}" Target="${target}"/>`,
  );
  return `${DECLARATION}<Relationships>${all.join('')}</Relationships>`;
}

/** A text, a number, a number with a style, or a cell in its own XML attributes and content. */
export type CellValue = string | number | readonly [value: number, style: number] | null;

interface SheetParts {
  readonly name?: string;
  readonly state?: string;
  readonly rows?: readonly (readonly CellValue[])[];
  /** Numbers, from 1, of rows that are hidden. */
  readonly hiddenRows?: readonly number[];
  readonly columns?: string;
  readonly merged?: readonly string[];
  /** The content of `sheetData`, instead of `rows`. */
  readonly data?: string;
}

interface WorkbookParts {
  readonly styles?: string;
  readonly properties?: string;
  readonly sharedStrings?: string;
  readonly others?: Readonly<Record<string, string | Uint8Array>>;
}

/** A workbook as Excel stores it: texts are shared, empty cells are absent. */
export function makeXlsx(sheets: readonly SheetParts[], parts: WorkbookParts = {}): Promise<Uint8Array> {
  const strings: string[] = [];
  const content = sheets.map((sheet) => sheetXml(sheet, strings));
  const list = sheets.map(
    ({ name, state }, index) =>
      `<sheet name="${name ?? `Sheet${index + 1}`}" sheetId="${index + 1}"${state === undefined ? '' : ` state="${state}"`} r:id="s${index}"/>`,
  );
  return makeArchive({
    '_rels/.rels': relationships({ r1: ['officeDocument', 'xl/workbook.xml'] }),
    'xl/workbook.xml': `${DECLARATION}<workbook xmlns:r="${OFFICE}">${parts.properties ?? ''}<sheets>${list.join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relationships({
      ...Object.fromEntries(
        sheets.map((_, index) => [`s${index}`, ['worksheet', `worksheets/sheet${index}.xml`]]),
      ),
      strings: ['sharedStrings', 'sharedStrings.xml'],
      styles: ['styles', '/xl/styles.xml'],
    }),
    ...Object.fromEntries(content.map((xml, index) => [`xl/worksheets/sheet${index}.xml`, xml])),
    'xl/sharedStrings.xml':
      parts.sharedStrings ??
      `${DECLARATION}<sst>${strings.map((text) => `<si><t>${text}</t></si>`).join('')}</sst>`,
    'xl/styles.xml': `${DECLARATION}<styleSheet>${parts.styles ?? ''}</styleSheet>`,
    ...parts.others,
  });
}

function sheetXml(
  { rows = [], hiddenRows = [], columns = '', merged = [], data }: SheetParts,
  strings: string[],
): string {
  const lines = rows.map((cells, row) => {
    const xml = cells.map((value, column) => cellXml(value, `${letterOf(column)}${row + 1}`, strings));
    const hidden = hiddenRows.includes(row + 1) ? ' hidden="1"' : '';
    return `<row r="${row + 1}"${hidden}>${xml.join('')}</row>`;
  });
  const merges = merged.map((reference) => `<mergeCell ref="${reference}"/>`).join('');
  return `${DECLARATION}<worksheet>${columns}<sheetData>${data ?? lines.join('')}</sheetData>${merges === '' ? '' : `<mergeCells>${merges}</mergeCells>`}</worksheet>`;
}

function cellXml(value: CellValue, reference: string, strings: string[]): string {
  if (value === null) return '';
  if (typeof value === 'number') return `<c r="${reference}"><v>${value}</v></c>`;
  if (typeof value === 'string') return `<c r="${reference}" t="s"><v>${strings.push(value) - 1}</v></c>`;
  return `<c r="${reference}" s="${value[1]}"><v>${value[0]}</v></c>`;
}

function letterOf(column: number): string {
  return String.fromCharCode(65 + column);
}
