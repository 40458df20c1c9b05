import { format } from 'numfmt';
import type { PackageParts } from './package-parts.ts';
import { elementsOf, findChild } from './read-xml.ts';

/** Formats by their number (ECMA-376, 18.8.30). Those that depend on the reader's country are written as ISO dates. */
const BUILT_IN: Readonly<Record<string, string>> = {
  1: '0',
  2: '0.00',
  3: '#,##0',
  4: '#,##0.00',
  5: '#,##0',
  6: '#,##0',
  7: '#,##0.00',
  8: '#,##0.00',
  9: '0%',
  10: '0.00%',
  11: '0.00E+00',
  12: '# ?/?',
  13: '# ??/??',
  14: 'yyyy-mm-dd',
  15: 'd-mmm-yy',
  16: 'd-mmm',
  17: 'mmm-yy',
  18: 'h:mm AM/PM',
  19: 'h:mm:ss AM/PM',
  20: 'h:mm',
  21: 'h:mm:ss',
  22: 'yyyy-mm-dd h:mm',
  37: '#,##0;-#,##0',
  38: '#,##0;-#,##0',
  39: '#,##0.00;-#,##0.00',
  40: '#,##0.00;-#,##0.00',
  41: '#,##0',
  42: '#,##0',
  43: '#,##0.00',
  44: '#,##0.00',
  45: 'mm:ss',
  46: '[h]:mm:ss',
  47: 'mm:ss.0',
  48: '##0.0E+0',
};
const EAST_ASIAN_DATES = [
  [27, 36],
  [50, 58],
] as const;
/** Excel's limit. */
const MAX_PATTERN_CHARACTERS = 255;
/** Days between the two epochs of Excel. */
const DAYS_TO_1904 = 1462;
/** Digits that Excel stores. */
const SIGNIFICANT_DIGITS = 15;

interface CellStyle {
  /** Null for numbers as they are. */
  readonly pattern: string | null;
  readonly bold: boolean;
}

/** The styles of a workbook's cells, which decide how numbers and dates are shown. */
export class CellStyles {
  readonly #styles: readonly CellStyle[];
  readonly #from1904: boolean;

  constructor(parts: PackageParts, path: string | null, from1904: boolean) {
    const root = path === null ? null : parts.parse(path);
    const custom = new Map(
      elementsOf(findChild(root, 'numFmts')).map(({ attributes: { numFmtId = '', formatCode = '' } }) => [
        numFmtId,
        formatCode,
      ]),
    );
    const bold = elementsOf(findChild(root, 'fonts')).map((font) => {
      const mark = findChild(font, 'b');
      return mark !== null && !['0', 'false'].includes(mark.attributes.val ?? '1');
    });
    this.#styles = elementsOf(findChild(root, 'cellXfs')).map(
      ({ attributes: { numFmtId = '', fontId } }) => ({
        pattern: custom.get(numFmtId) ?? builtIn(Number(numFmtId)),
        bold: bold[Number(fontId)] ?? false,
      }),
    );
    this.#from1904 = from1904;
  }

  isBold(style: string | undefined): boolean {
    return this.#styles[Number(style ?? 0)]?.bold ?? false;
  }

  /** Returns a stored number as the sheet shows it. */
  show(stored: string, style: string | undefined): string {
    const value = Number(stored);
    if (stored.trim() === '' || !Number.isFinite(value)) return stored;
    const pattern = this.#styles[Number(style ?? 0)]?.pattern ?? null;
    if (pattern === null || /^(?:general|@)?$/i.test(pattern) || pattern.length > MAX_PATTERN_CHARACTERS)
      return plainNumber(value);
    const isDate =
      !/\[[hms]/i.test(pattern) && /[dmyhs]/i.test(pattern.replace(/"[^"]*"|\\.|\[[^[\]hms]*\]|_./gi, ''));
    const shown = format(pattern, value + (isDate && this.#from1904 ? DAYS_TO_1904 : 0), {
      throws: false,
      nbsp: false,
      invalid: '',
      overflow: '',
    });
    return shown.trim() === '' && value !== 0 ? plainNumber(value) : shown;
  }
}

function builtIn(number: number): string | null {
  const eastAsian = EAST_ASIAN_DATES.some(([first, last]) => number >= first && number <= last);
  return eastAsian ? 'yyyy-mm-dd' : (BUILT_IN[number] ?? null);
}

function plainNumber(value: number): string {
  return String(Number(value.toPrecision(SIGNIFICANT_DIGITS)));
}
