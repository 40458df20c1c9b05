import type { PdfLine } from './page-lines.ts';

/** Lines that belong together: a paragraph, a heading, an item of a list, the rows of a table, or a program. */
export interface LineGroup {
  readonly kind: 'text' | 'item' | 'table' | 'code';
  readonly lines: readonly PdfLine[];
}

/** Bullets of symbol fonts come out as characters of private use. */
const MARKER = /^(?:[•‣▪●○◦·–—*\p{Co}-]|\d{1,3}[.)]|[a-z][.)])\s+\S/u;
const SENTENCE_END = /[.!?:;。！？]["'”’)\]]*$/u;
const PARAGRAPH_GAP = 1.25;
/** Large type is set closer than running text, so that the lines of a heading and two headings can be told apart. */
const HEADLINE_LEADING = 1.2;
const SIZE_TOLERANCE = 0.08;
/** A line shorter than this share of a full one ended because its paragraph did. */
const SHORT_LINE = 0.85;
const MIN_ROWS = 2;
/** Two columns of prose have the looks of a table with long cells. */
const MAX_MEAN_CELL = 32;

interface OpenGroup {
  readonly kind: LineGroup['kind'];
  readonly lines: PdfLine[];
}

export function groupLines(lines: readonly PdfLine[], style: PageStyle): readonly LineGroup[] {
  const groups: OpenGroup[] = [];
  for (let index = 0; index < lines.length; ) {
    const line = lines[index];
    if (line === undefined) break;
    const code = line.font !== null && style.codeFonts.has(line.font);
    const rows = code ? [] : tableRows(lines, index);
    if (rows.length > 0) groups.push({ kind: 'table', lines: rows });
    else if (!appendToGroup(groups.at(-1), line, { style, code }))
      groups.push({ kind: classifyLine(line, code), lines: [line] });
    index += Math.max(1, rows.length);
  }
  return groups;
}

function classifyLine(line: PdfLine, code: boolean): LineGroup['kind'] {
  if (code) return 'code';
  return MARKER.test(line.text) ? 'item' : 'text';
}

/** Adds the line to the group that it continues; false if it begins one of its own. */
function appendToGroup(
  group: OpenGroup | undefined,
  line: PdfLine,
  { style, code }: { style: PageStyle; code: boolean },
): boolean {
  const previous = group?.lines.at(-1);
  if (group === undefined || previous === undefined || group.kind === 'table') return false;
  if ((group.kind === 'code') !== code) return false;
  const joined =
    code ||
    (group.kind === 'item' && isHangingIndent(group.lines, line, style)) ||
    continuesParagraph(previous, line, style);
  if (joined) group.lines.push(line);
  return joined;
}

/** The rows of a table that starts at `index`: following lines with the same number of short cells. */
function tableRows(lines: readonly PdfLine[], index: number): PdfLine[] {
  const first = lines[index];
  if (first === undefined || first.cells.length < 2 || MARKER.test(`${first.cells[0]} x`)) return [];
  const rows = [first];
  for (const line of lines.slice(index + 1, index + 1000)) {
    if (line.page !== first.page || line.cells.length !== first.cells.length) break;
    rows.push(line);
  }
  const cells = rows.flatMap((row) => row.cells);
  const meanCell = cells.reduce((sum, cell) => sum + cell.length, 0) / cells.length;
  return rows.length >= MIN_ROWS && meanCell <= MAX_MEAN_CELL ? rows : [];
}

/** Under the text of a list item, to the right of its bullet or number. */
function isHangingIndent(item: readonly PdfLine[], line: PdfLine, style: PageStyle): boolean {
  const [first] = item;
  const previous = item.at(-1);
  if (first === undefined || previous === undefined || MARKER.test(line.text)) return false;
  const down = previous.y - line.y;
  const near =
    previous.page === line.page && down > 0 && down <= style.leading * PARAGRAPH_GAP * line.fontSize;
  return near && line.fontSize === first.fontSize && line.left > first.left + line.fontSize / 2;
}

function continuesParagraph(previous: PdfLine, line: PdfLine, style: PageStyle): boolean {
  if (MARKER.test(line.text) || Math.abs(previous.fontSize - line.fontSize) > SIZE_TOLERANCE * line.fontSize)
    return false;
  const down = previous.y - line.y;
  if (previous.page !== line.page || down <= 0)
    return line.fontSize <= style.fontSize && continuesElsewhere(previous, line);
  const leading = line.fontSize > style.fontSize ? Math.min(style.leading, HEADLINE_LEADING) : style.leading;
  if (down > leading * PARAGRAPH_GAP * line.fontSize) return false;
  if (isEmphasised(previous, style) !== isEmphasised(line, style)) return false;
  const indented = line.left > previous.left + line.fontSize;
  return !(SENTENCE_END.test(previous.text) && (indented || isShort(previous, style)));
}

/** In the next column or on the next page, a paragraph goes on if its last line left a sentence open. */
function continuesElsewhere(previous: PdfLine, line: PdfLine): boolean {
  return !SENTENCE_END.test(previous.text) && /^[\p{Ll}\d(]/u.test(line.text);
}

/** A short line all in another font than running text, as headings are. */
function isEmphasised(line: PdfLine, style: PageStyle): boolean {
  return line.font !== null && line.font !== style.font && isShort(line, style);
}

function isShort(line: PdfLine, style: PageStyle): boolean {
  return line.right - line.left < style.lineWidth * SHORT_LINE;
}

/** What running text looks like in a document: the measure against which headings and gaps stand out. */
export interface PageStyle {
  readonly fontSize: number;
  readonly font: string | null;
  /** Distance of two lines of a paragraph, in font sizes. */
  readonly leading: number;
  /** Width of a full line, in points. */
  readonly lineWidth: number;
  /** Fonts of even width, where running text is not set in one itself. */
  readonly codeFonts: ReadonlySet<string>;
}

const DEFAULT_LEADING = 1.2;

/** `evenFonts` are all fonts of even width. */
export function measurePageStyle(lines: readonly PdfLine[], evenFonts: ReadonlySet<string>): PageStyle {
  const fontSize = mostText(lines, (line) => line.fontSize) ?? 0;
  const body = lines.filter((line) => line.fontSize === fontSize);
  const leadings = body.flatMap((line, index) => {
    const next = body[index + 1];
    const distance = next === undefined || next.page !== line.page ? 0 : (line.y - next.y) / fontSize;
    return distance > 0.9 && distance < 2.5 ? [Math.round(distance * 20) / 20] : [];
  });
  const font = mostText(body, (line) => line.font) ?? null;
  return {
    fontSize,
    font,
    codeFonts: font !== null && evenFonts.has(font) ? new Set() : evenFonts,
    leading: mostCommon(leadings) ?? DEFAULT_LEADING,
    lineWidth: quantile(
      body.map((line) => line.right - line.left),
      0.9,
    ),
  };
}

function mostText<Key>(lines: readonly PdfLine[], keyOf: (line: PdfLine) => Key): Key | undefined {
  const characters = new Map<Key, number>();
  for (const line of lines)
    characters.set(keyOf(line), (characters.get(keyOf(line)) ?? 0) + line.text.length);
  return [...characters].toSorted((one, other) => other[1] - one[1])[0]?.[0];
}

function mostCommon(values: readonly number[]): number | undefined {
  const counts = new Map<number, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].toSorted((one, other) => other[1] - one[1] || one[0] - other[0])[0]?.[0];
}

function quantile(values: readonly number[], share: number): number {
  return values.toSorted((one, other) => one - other)[Math.floor((values.length - 1) * share)] ?? 0;
}
