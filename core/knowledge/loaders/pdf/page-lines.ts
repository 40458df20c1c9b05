import type { PdfLine } from './pdf-line.ts';

/** A run of text as the PDF reader places it. */
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

/** In font sizes. */
const SAME_LINE = 0.45;
const SPACE = 0.15;
const CELL_GAP = 1.1;
const STEP_BACK = 0.6;

/** Puts the runs of a page together to lines, in the order in which the file holds them, which is that of reading. */
export function pageLines(runs: readonly TextRun[], page: number): readonly PdfLine[] {
  const angle = mainAngle(runs);
  const lines: PlacedRun[][] = [];
  let blank = false;
  for (const run of runs) {
    if (angleOf(run) !== angle) continue;
    if (run.str.trim() === '') {
      blank = true;
      continue;
    }
    const placed = place(run, angle, blank);
    blank = false;
    const line = lines.at(-1);
    const last = line?.at(-1);
    if (line !== undefined && last !== undefined && continuesLine(last, placed)) line.push(placed);
    else lines.push([placed]);
  }
  return lines.map((line) => toLine(line, page));
}

function place(run: TextRun, angle: number, afterBlank: boolean): PlacedRun {
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

/** In degrees, to the next quarter turn; text at another angle than most of the page is a stamp or a watermark. */
function angleOf({ transform: [a = 1, b = 0] }: TextRun): number {
  const degrees = (Math.atan2(b, a) * 180) / Math.PI;
  const quarter = Math.round(degrees / 90) * 90;
  return Math.abs(degrees - quarter) < 5 ? (quarter + 360) % 360 : Math.round(degrees);
}

function mainAngle(runs: readonly TextRun[]): number {
  const characters = new Map<number, number>();
  for (const run of runs) characters.set(angleOf(run), (characters.get(angleOf(run)) ?? 0) + run.str.length);
  return [...characters].reduce((most, one) => (one[1] > most[1] ? one : most), [0, 0])[0];
}

function continuesLine(last: PlacedRun, run: PlacedRun): boolean {
  const size = Math.max(last.fontSize, run.fontSize);
  if (Math.abs(last.y - run.y) > SAME_LINE * size) return false;
  return (
    run.left >= last.right - STEP_BACK * size ||
    (run.rightToLeft && run.right <= last.left + STEP_BACK * size)
  );
}

function toLine(runs: readonly PlacedRun[], page: number): PdfLine {
  const cells: string[] = [];
  let previous: PlacedRun | null = null;
  for (const run of runs) {
    const gap =
      previous === null ? 0 : Math.max(run.left - previous.right, previous.left - run.right) / run.fontSize;
    const text = gap > SPACE ? ` ${run.text}` : run.text;
    if (previous === null || gap > CELL_GAP) cells.push(text);
    else cells.push((cells.pop() ?? '') + text);
    previous = run;
  }
  const tidied = cells.map((cell) => cell.replace(/\s+/g, ' ').trim());
  const main = runs.reduce((longest, run) => (run.text.length > longest.text.length ? run : longest));
  return {
    page,
    text: tidied.join(' '),
    cells: tidied,
    left: Math.min(...runs.map((run) => run.left)),
    right: Math.max(...runs.map((run) => run.right)),
    y: main.y,
    fontSize: Math.round(main.fontSize * 10) / 10,
    font: runs.every((run) => run.font === main.font) ? main.font : null,
  };
}
