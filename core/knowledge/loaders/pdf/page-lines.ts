/** A part of a line between gaps wider than a space. */
export interface PdfCell {
  readonly text: string;
  readonly left: number;
  readonly right: number;
}

/** One printed line. Coordinates are in points, `y` grows upwards. */
export interface PdfLine {
  /** From 0. */
  readonly page: number;
  readonly text: string;
  /** The text split at gaps wider than a space: the cells if the line is a table row. */
  readonly cells: readonly PdfCell[];
  readonly left: number;
  readonly right: number;
  readonly y: number;
  /** Font size of the longest run of the line, in points. */
  readonly fontSize: number;
  /** The PDF library's name for the font of the line; null if the line mixes fonts. */
  readonly font: string | null;
  /** The row of a table that the file tags: its table, and the printed lines of each cell. */
  readonly tagged?: { readonly table: TaggedTable; readonly row: readonly (readonly string[])[] };
}

/** The same object for all rows of one table. */
export interface TaggedTable {
  readonly hasHeader: boolean;
}

/** A positioned run of text from the PDF library. */
export interface TextRun {
  readonly str: string;
  readonly dir: string;
  /** [a, b, c, d, x, y] */
  readonly transform: readonly number[];
  readonly width: number;
  readonly fontName: string;
}

interface PlacedRun {
  readonly text: string;
  readonly rightToLeft: boolean;
  readonly left: number;
  readonly right: number;
  readonly y: number;
  readonly fontSize: number;
  readonly font: string;
}

/** Distances in font sizes. */
const MAX_LINE_OFFSET = 0.45;
const MIN_SPACE = 0.15;
const MIN_CELL_GAP = 1.1;
const MAX_STEP_BACK = 0.6;

/** Joins the runs of a page into lines, in the order of the file, which is the reading order. */
export function pageLines(runs: readonly TextRun[], page: number): readonly PdfLine[] {
  const angle = mainAngle(runs);
  const lines: PlacedRun[][] = [];
  let blank = false;
  for (const run of runs) {
    if (quarterTurns(run) !== angle) continue;
    if (run.str.trim() === '') {
      blank = true;
      continue;
    }
    const placed = placeRun(run, angle, blank);
    blank = false;
    const line = lines.at(-1);
    const last = line?.at(-1);
    if (line !== undefined && last !== undefined && continuesLine(last, placed)) line.push(placed);
    else lines.push([placed]);
  }
  return lines.map((line) => toLine(line, page));
}

function placeRun(run: TextRun, angle: number, afterBlank: boolean): PlacedRun {
  const [, , c = 0, d = 0, x = 0, y = 0] = run.transform;
  const radians = (angle * Math.PI) / 180;
  const left = x * Math.cos(radians) + y * Math.sin(radians);
  return {
    text: afterBlank ? ` ${run.str}` : run.str,
    rightToLeft: run.dir === 'rtl',
    left,
    right: left + run.width,
    y: y * Math.cos(radians) - x * Math.sin(radians),
    fontSize: Math.hypot(c, d),
    font: run.fontName,
  };
}

/** Returns the angle in degrees, snapped to quarter turns. Text at other angles is a stamp or a watermark. */
function quarterTurns({ transform: [a = 1, b = 0] }: TextRun): number {
  const degrees = (Math.atan2(b, a) * 180) / Math.PI;
  const quarter = Math.round(degrees / 90) * 90;
  return Math.abs(degrees - quarter) < 5 ? (quarter + 360) % 360 : Math.round(degrees);
}

function mainAngle(runs: readonly TextRun[]): number {
  const characters = new Map<number, number>();
  for (const run of runs)
    characters.set(quarterTurns(run), (characters.get(quarterTurns(run)) ?? 0) + run.str.length);
  return [...characters].reduce((most, one) => (one[1] > most[1] ? one : most), [0, 0])[0];
}

function continuesLine(last: PlacedRun, run: PlacedRun): boolean {
  const size = Math.max(last.fontSize, run.fontSize);
  if (Math.abs(last.y - run.y) > MAX_LINE_OFFSET * size) return false;
  return (
    run.left >= last.right - MAX_STEP_BACK * size ||
    (run.rightToLeft && run.right <= last.left + MAX_STEP_BACK * size)
  );
}

function toLine(runs: readonly PlacedRun[], page: number): PdfLine {
  const parts: { text: string; left: number; right: number }[] = [];
  let previous: PlacedRun | null = null;
  for (const run of runs) {
    const gap =
      previous === null ? 0 : Math.max(run.left - previous.right, previous.left - run.right) / run.fontSize;
    const text = gap > MIN_SPACE ? ` ${run.text}` : run.text;
    const last = parts.at(-1);
    if (last === undefined || gap > MIN_CELL_GAP) parts.push({ text, left: run.left, right: run.right });
    else {
      last.text += text;
      last.left = Math.min(last.left, run.left);
      last.right = Math.max(last.right, run.right);
    }
    previous = run;
  }
  const cells = parts.map((part) => ({ ...part, text: part.text.replace(/\s+/g, ' ').trim() }));
  const main = runs.reduce((longest, run) => (run.text.length > longest.text.length ? run : longest));
  return lineOf(
    {
      page,
      y: main.y,
      fontSize: Math.round(main.fontSize * 10) / 10,
      font: runs.every((run) => run.font === main.font) ? main.font : null,
    },
    cells,
  );
}

/** Returns a line of the given cells. */
export function lineOf(
  { page, y, fontSize, font }: Pick<PdfLine, 'page' | 'y' | 'fontSize' | 'font'>,
  cells: readonly PdfCell[],
): PdfLine {
  return {
    ...{ page, y, fontSize, font, cells },
    text: cells.map(({ text }) => text).join(' '),
    left: Math.min(...cells.map(({ left }) => left)),
    right: Math.max(...cells.map(({ right }) => right)),
  };
}

/** Number of lines at the top and bottom of a page that can be its header or footer. */
const EDGE_LINES = 3;
const MIN_PAGES = 3;
const MIN_SHARE = 0.5;
const PAGE_NUMBER =
  /^(?:\W{0,20}(?:page|seite|página|pagina|стр\.?)\s{0,9})?\W{0,20}\d{1,4}\W{0,20}(?:(?:\/|of|von|de|di|sur|из)\s{0,9}\d{1,4}\W{0,20})?$/i;
const CONTENTS_ENTRY = /$(?<=(?:\.\s?){4}\s*\d+)/;

/** On a page of contents, chapters stand without dots before their page. */
const MIN_CONTENTS_ENTRIES = 3;

interface Occurrences {
  pages: number;
  readonly texts: Set<string>;
}

/** Removes running headers and footers, page numbers, and the entries of a table of contents. */
export function removeRunningLines(pages: readonly (readonly PdfLine[])[]): readonly PdfLine[] {
  const occurrencesByKey = countEdgeLines(pages);
  const offset = pageNumberOffset(pages);
  return pages.flatMap((page) => {
    const edges = new Set(edgeLines(page));
    const runs = (line: PdfLine): boolean => {
      if (!edges.has(line)) return false;
      return (
        isPageNumber(line, page, pages.length) ||
        (offset !== null && printedNumber(line) === line.page + offset && isOutermost(line, page)) ||
        isRunning(occurrencesByKey.get(runningKey(line)), pages.length)
      );
    };
    const isContents = page.filter(({ text }) => CONTENTS_ENTRY.test(text)).length >= MIN_CONTENTS_ENTRIES;
    const isEntry = (line: PdfLine): boolean =>
      CONTENTS_ENTRY.test(line.text) ||
      (isContents && line.cells.length > 1 && PAGE_NUMBER.test(line.cells.at(-1)?.text ?? ''));
    return page.filter((line) => !runs(line) && !isEntry(line));
  });
}

function countEdgeLines(pages: readonly (readonly PdfLine[])[]): ReadonlyMap<string, Occurrences> {
  const occurrencesByKey = new Map<string, Occurrences>();
  for (const page of pages) {
    const lines = new Map(edgeLines(page).map((line) => [runningKey(line), line.text]));
    for (const [key, text] of lines) {
      const occurrences = occurrencesByKey.get(key) ?? { pages: 0, texts: new Set() };
      occurrences.pages += 1;
      occurrencesByKey.set(key, { ...occurrences, texts: occurrences.texts.add(text) });
    }
  }
  return occurrencesByKey;
}

/** True for a line on most pages, and for a chapter's header, which differs on each page by the page number. */
function isRunning(occurrences: Occurrences | undefined, pageCount: number): boolean {
  if (occurrences === undefined || occurrences.pages < MIN_PAGES) return false;
  return occurrences.pages >= pageCount * MIN_SHARE || occurrences.texts.size === occurrences.pages;
}

/**
 * Returns the lines nearest to the top and bottom of the page by position. Table rows are excluded, because a table
 * head may be repeated on every page.
 */
function edgeLines(page: readonly PdfLine[]): readonly PdfLine[] {
  const byHeight = page.toSorted((one, other) => other.y - one.y);
  const edges = [...byHeight.slice(0, EDGE_LINES), ...byHeight.slice(EDGE_LINES).slice(-EDGE_LINES)];
  return edges.filter((line) => {
    if (line.tagged !== undefined) return false;
    const next = page[page.indexOf(line) + 1];
    return line.cells.length < 2 || line.cells.length !== next?.cells.length || printedNumber(line) !== null;
  });
}

/** Equal for `Page 3 of 9` and `Page 4 of 9`; different for a title and a header that repeats it in smaller type. */
function runningKey(line: PdfLine): string {
  return `${line.fontSize} ${line.text.toLowerCase().replace(/\d+|\b[ivxl]+$/g, '0')}`;
}

function isPageNumber(line: PdfLine, page: readonly PdfLine[], pageCount: number): boolean {
  if (pageCount < 2 || !(PAGE_NUMBER.test(line.text) || /^[ivxl]{1,6}$/.test(line.text))) return false;
  return isOutermost(line, page);
}

function isOutermost(line: PdfLine, page: readonly PdfLine[]): boolean {
  return page.every((other) => other.y <= line.y) || page.every((other) => other.y >= line.y);
}

/** Returns the number that stands apart at the start or end of a line: `12   Chapter 1. Fees`. */
function printedNumber({ cells }: PdfLine): number | null {
  if (cells.length < 2) return null;
  const number = [cells[0], cells.at(-1)].find((cell) => /^\d{1,4}$/.test(cell?.text ?? ''));
  return number === undefined ? null : Number(number.text);
}

/** Returns how much more than their index, from 0, the numbers beside the headers of pages are; null if they differ. */
function pageNumberOffset(pages: readonly (readonly PdfLine[])[]): number | null {
  const counts = new Map<number, number>();
  for (const page of pages)
    for (const line of edgeLines(page)) {
      const number = isOutermost(line, page) ? printedNumber(line) : null;
      if (number !== null) counts.set(number - line.page, (counts.get(number - line.page) ?? 0) + 1);
    }
  const [offset, count] = [...counts].reduce((most, one) => (one[1] > most[1] ? one : most), [0, 0]);
  return count >= MIN_PAGES ? offset : null;
}
