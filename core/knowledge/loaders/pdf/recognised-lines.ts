import { type PdfLine, pageLines } from './page-lines.ts';

interface Word {
  readonly text: string;
  readonly left: number;
  readonly width: number;
}

interface Line {
  readonly top: number;
  readonly height: number;
  readonly words: Word[];
}

/** Rows of tesseract's TSV by their first column. */
const PAGE = '1';
const LINE = '4';
const WORD = '5';
/** Percent. Below are specks and lines of a table. Amounts such as `£9` reach only 40. */
const MIN_CONFIDENCE = 20;
/** Characters as which tesseract reads the bullet of a list. */
const BULLET = /^[¢©°«»®]$/;
/** Share of a line's height below its base line, if it has letters that reach there. */
const DESCENT = 0.2;
const DESCENDERS = /[gjpqy,;()[\]{}|]/;
/** Height of capital letters in font sizes. */
const CAPITAL_HEIGHT = 0.72;
/** Points in which the usual size of a page is expressed, because a picture does not tell how large it is. */
const TEXT_POINTS = 11;
/** Heights of lines are measured to about this factor. */
const SIZE_STEP = 1.12;

/** Returns the lines of each page in tesseract's TSV, as if they were printed in a PDF. */
export function recognisedLines(tsv: string): readonly (readonly PdfLine[])[] {
  return parsePages(tsv).map((lines, page) => toPdfLines(lines, page));
}

function parsePages(tsv: string): readonly (readonly Line[])[] {
  const pages: Line[][] = [];
  for (const row of tsv.split('\n').slice(1)) {
    const [level, , , , , , left, top, width, height, confidence, text = ''] = row.split('\t');
    if (level === PAGE) pages.push([]);
    else if (level === LINE) pages.at(-1)?.push({ top: Number(top), height: Number(height), words: [] });
    else if (level === WORD && text.trim() !== '' && Number(confidence) >= MIN_CONFIDENCE) {
      pages
        .at(-1)
        ?.at(-1)
        ?.words.push({ text: text.trim(), left: Number(left), width: Number(width) });
    }
  }
  return pages.map((lines) => lines.filter(({ words }) => words.length > 0));
}

function toPdfLines(lines: readonly Line[], page: number): readonly PdfLine[] {
  const heights = lines.map((line) => capitalHeight(line)).sort((one, other) => one - other);
  const usual = heights[Math.floor(heights.length / 2)] ?? 0;
  if (usual <= 0) return [];
  const points = TEXT_POINTS / (usual / CAPITAL_HEIGHT);
  return lines.flatMap((line) => {
    const steps = Math.round(Math.log(capitalHeight(line) / usual) / Math.log(SIZE_STEP));
    const size = TEXT_POINTS * SIZE_STEP ** steps;
    const base = line.top + (hasDescender(line) ? line.height * (1 - DESCENT) : line.height);
    const runs = line.words.map(({ text, left, width }, index) => ({
      str: index === 0 && line.words.length > 1 && BULLET.test(text) ? '•' : text,
      dir: /[\u0590-\u08ff]/.test(text) ? 'rtl' : 'ltr',
      transform: [size, 0, 0, size, left * points, -base * points],
      width: width * points,
      fontName: 'recognised',
    }));
    return pageLines(runs, page);
  });
}

function capitalHeight(line: Line): number {
  return Math.max(1, hasDescender(line) ? line.height * (1 - DESCENT) : line.height);
}

function hasDescender({ words }: Line): boolean {
  return words.some(({ text }) => DESCENDERS.test(text));
}
