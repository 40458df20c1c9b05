import type { PdfLine } from './pdf-line.ts';

/** How many lines from either edge of a page may be its header or footer. */
const EDGE_LINES = 3;
const MIN_PAGES = 3;
const MIN_SHARE = 0.5;
const PAGE_NUMBER =
  /^(?:\W{0,20}(?:page|seite|página|pagina|стр\.?)\s{0,9})?\W{0,20}\d{1,4}\W{0,20}(?:(?:\/|of|von|de|di|sur|из)\s{0,9}\d{1,4}\W{0,20})?$/i;
const CONTENTS_ENTRY = /$(?<=(?:\.\s?){4}\s*\d+)/;

interface Occurrences {
  pages: number;
  readonly texts: Set<string>;
}

/** Leaves out headers and footers that run through the pages, page numbers, and the lines of a table of contents. */
export function withoutRunningLines(pages: readonly (readonly PdfLine[])[]): readonly PdfLine[] {
  const seen = countEdgeLines(pages);
  return pages.flatMap((page) => {
    const edges = new Set(edgesOf(page));
    const runs = (line: PdfLine): boolean => {
      if (!edges.has(line)) return false;
      return isPageNumber(line, page, pages.length) || isRunning(seen.get(runningKey(line)), pages.length);
    };
    return page.filter((line) => !runs(line) && !CONTENTS_ENTRY.test(line.text));
  });
}

function countEdgeLines(pages: readonly (readonly PdfLine[])[]): ReadonlyMap<string, Occurrences> {
  const seen = new Map<string, Occurrences>();
  for (const page of pages) {
    const lines = new Map(edgesOf(page).map((line) => [runningKey(line), line.text]));
    for (const [key, text] of lines) {
      const occurrences = seen.get(key) ?? { pages: 0, texts: new Set() };
      occurrences.pages += 1;
      seen.set(key, { ...occurrences, texts: occurrences.texts.add(text) });
    }
  }
  return seen;
}

/** On most pages; or, as a chapter's header, on some with the page's number in it. */
function isRunning(occurrences: Occurrences | undefined, pageCount: number): boolean {
  if (occurrences === undefined || occurrences.pages < MIN_PAGES) return false;
  return occurrences.pages >= pageCount * MIN_SHARE || occurrences.texts.size === occurrences.pages;
}

/**
 * The lines nearest to the top and to the bottom of the page, wherever the file holds them; not the rows of a table,
 * whose head may be printed again on every page.
 */
function edgesOf(page: readonly PdfLine[]): readonly PdfLine[] {
  const byHeight = page.toSorted((one, other) => other.y - one.y);
  const edges = [...byHeight.slice(0, EDGE_LINES), ...byHeight.slice(EDGE_LINES).slice(-EDGE_LINES)];
  return edges.filter((line) => {
    const next = page[page.indexOf(line) + 1];
    return line.cells.length < 2 || line.cells.length !== next?.cells.length;
  });
}

/** Equal for `Page 3 of 9` and `Page 4 of 9`, not for a title and the header that repeats it in small type. */
function runningKey(line: PdfLine): string {
  return `${line.fontSize} ${line.text.toLowerCase().replace(/\d+|\b[ivxl]+$/g, '0')}`;
}

function isPageNumber(line: PdfLine, page: readonly PdfLine[], pageCount: number): boolean {
  if (pageCount < 2 || !(PAGE_NUMBER.test(line.text) || /^[ivxl]{1,6}$/.test(line.text))) return false;
  return page.every((other) => other.y <= line.y) || page.every((other) => other.y >= line.y);
}
