import { findTable, type TableRow } from './find-table.ts';
import type { PdfLine } from './page-lines.ts';

/** Lines that belong together: a paragraph, a heading, a list item, the rows of a table, or code. */
export interface LineGroup {
  readonly kind: 'text' | 'item' | 'table' | 'code';
  readonly lines: readonly PdfLine[];
  /** The cells of a table. */
  readonly rows?: readonly TableRow[];
  /** Whether a table's first row is its header; absent if the file does not tell. */
  readonly hasHeader?: boolean;
}

/** Bullets of symbol fonts are extracted as private-use characters. */
const MARKER = /^(?:[•‣▪●○◦·–—*\p{Co}-]|\d{1,3}[.)]|[a-z][.)])\s+\S/u;
const SENTENCE_END = /[.!?:;。！？]["'”’)\]]*$/u;
const PARAGRAPH_GAP = 1.25;
/** Large type has tighter leading than running text. A lower value separates two headings from two lines of one. */
const HEADLINE_LEADING = 1.2;
const SIZE_TOLERANCE = 0.08;
/** A line shorter than this share of a full line is the last one of its paragraph. */
const SHORT_LINE_SHARE = 0.85;
interface OpenGroup {
  readonly kind: LineGroup['kind'];
  readonly lines: PdfLine[];
  readonly rows?: readonly TableRow[];
  readonly hasHeader?: boolean;
}

export function groupLines(lines: readonly PdfLine[], style: PageStyle): readonly LineGroup[] {
  const groups: OpenGroup[] = [];
  for (let index = 0; index < lines.length; ) {
    const line = lines[index];
    if (line === undefined) break;
    if (line.tagged !== undefined) {
      const { table } = line.tagged;
      const end = lines.findIndex((other, at) => at > index && other.tagged?.table !== table);
      const rows = lines.slice(index, end === -1 ? lines.length : end);
      groups.push({
        ...{ kind: 'table', lines: rows, hasHeader: table.hasHeader },
        rows: rows.flatMap(({ tagged }) => (tagged === undefined ? [] : [tagged.row])),
      });
      index += rows.length;
      continue;
    }
    const code = line.font !== null && style.codeFonts.has(line.font);
    const table = code || MARKER.test(`${line.cells[0]?.text} x`) ? null : findTable(lines, index);
    if (table !== null) groups.push({ kind: 'table', lines: [...table.lines], rows: table.rows });
    else if (!appendToGroup(groups.at(-1), line, { style, code }))
      groups.push({ kind: classifyLine(line, code), lines: [line] });
    index += table?.lines.length ?? 1;
  }
  return groups;
}

function classifyLine(line: PdfLine, code: boolean): LineGroup['kind'] {
  if (code) return 'code';
  return MARKER.test(line.text) ? 'item' : 'text';
}

/** Adds the line to the group that it continues; returns false if it starts a new group. */
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

/** True if the line is aligned under the text of a list item, to the right of its bullet or number. */
function isHangingIndent(item: readonly PdfLine[], line: PdfLine, style: PageStyle): boolean {
  const [first] = item;
  const previous = item.at(-1);
  if (first === undefined || previous === undefined || MARKER.test(line.text)) return false;
  const distance = previous.y - line.y;
  const isNear =
    previous.page === line.page && distance > 0 && distance <= style.leading * PARAGRAPH_GAP * line.fontSize;
  return isNear && line.fontSize === first.fontSize && line.left > first.left + line.fontSize / 2;
}

function continuesParagraph(previous: PdfLine, line: PdfLine, style: PageStyle): boolean {
  if (MARKER.test(line.text) || Math.abs(previous.fontSize - line.fontSize) > SIZE_TOLERANCE * line.fontSize)
    return false;
  const distance = previous.y - line.y;
  if (previous.page !== line.page || distance <= 0)
    return line.fontSize <= style.fontSize && continuesElsewhere(previous, line);
  const leading = line.fontSize > style.fontSize ? Math.min(style.leading, HEADLINE_LEADING) : style.leading;
  if (distance > leading * PARAGRAPH_GAP * line.fontSize) return false;
  if (isEmphasised(previous, style) !== isEmphasised(line, style)) return false;
  const indented = line.left > previous.left + line.fontSize;
  return !(SENTENCE_END.test(previous.text) && (indented || isShort(previous, style)));
}

/** A paragraph continues in the next column or on the next page if its last line does not end a sentence. */
function continuesElsewhere(previous: PdfLine, line: PdfLine): boolean {
  return !SENTENCE_END.test(previous.text) && /^[\p{Ll}\d(]/u.test(line.text);
}

/** True for a short line set completely in another font than running text, like a heading. */
function isEmphasised(line: PdfLine, style: PageStyle): boolean {
  return line.font !== null && line.font !== style.font && isShort(line, style);
}

function isShort(line: PdfLine, style: PageStyle): boolean {
  return line.right - line.left < style.lineWidth * SHORT_LINE_SHARE;
}

/** The style of a document's running text, from which headings and gaps differ. */
export interface PageStyle {
  readonly fontSize: number;
  readonly font: string | null;
  /** Distance between two lines of a paragraph, in font sizes. */
  readonly leading: number;
  /** Width of a full line, in points. */
  readonly lineWidth: number;
  /** Monospace fonts; empty if running text itself is monospace. */
  readonly codeFonts: ReadonlySet<string>;
}

const DEFAULT_LEADING = 1.2;

/** Measures the style of running text: the most frequent font size, font and leading. */
export function measurePageStyle(lines: readonly PdfLine[], monospaceFonts: ReadonlySet<string>): PageStyle {
  const fontSize = mostTextKey(lines, (line) => line.fontSize) ?? 0;
  const body = lines.filter((line) => line.fontSize === fontSize);
  const leadings = body.flatMap((line, index) => {
    const next = body[index + 1];
    const distance = next === undefined || next.page !== line.page ? 0 : (line.y - next.y) / fontSize;
    return distance > 0.9 && distance < 2.5 ? [Math.round(distance * 20) / 20] : [];
  });
  const font = mostTextKey(body, (line) => line.font) ?? null;
  return {
    fontSize,
    font,
    codeFonts: font !== null && monospaceFonts.has(font) ? new Set() : monospaceFonts,
    leading: mostCommon(leadings) ?? DEFAULT_LEADING,
    lineWidth: quantile(
      body.map((line) => line.right - line.left),
      0.9,
    ),
  };
}

function mostTextKey<Key>(lines: readonly PdfLine[], keyOf: (line: PdfLine) => Key): Key | undefined {
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
