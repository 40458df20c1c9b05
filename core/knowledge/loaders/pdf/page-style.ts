import type { PdfLine } from './pdf-line.ts';

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
export function pageStyle(lines: readonly PdfLine[], evenFonts: ReadonlySet<string>): PageStyle {
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
