import type { PdfCell, PdfLine, TextRun } from './page-lines.ts';
import { lineOf, pageLines } from './page-lines.ts';

/** An element of the structure tree: a part of the document with its role, or content with its id. */
export interface TagNode {
  readonly role?: unknown;
  readonly type?: unknown;
  readonly id?: unknown;
  readonly children?: readonly TagNode[];
}

/** An item of a page with marked content, from the PDF library: text, or the beginning or end of a part. */
type PageItem = TextRun | { readonly type: string; readonly tag?: string | null; readonly id?: string };

interface TaggedCell {
  readonly ids: ReadonlySet<string>;
  readonly isHeader: boolean;
}

type TaggedTable = readonly (readonly TaggedCell[])[];

const MAX_DEPTH = 100;
const MAX_NODES = 200_000;

/**
 * Returns the lines of a page whose tables are tagged: each row is one line with its cells, whatever their order in the
 * file. Artifacts (running headers, page numbers) are left out. Returns null without such tags.
 */
export function taggedLines(
  items: readonly PageItem[],
  tree: TagNode | null,
  page: number,
): readonly PdfLine[] | null {
  const tables = tree === null ? [] : findTables(tree);
  const tableOf = new Map<string, number>();
  for (const [table, rows] of tables.entries())
    for (const { ids } of rows.flat()) for (const id of ids) tableOf.set(id, table);
  const marked = markRuns(items);
  const kept = marked.filter(({ isArtifact }) => !isArtifact);
  if (tree === null || kept.length === 0) return null;
  const lines: PdfLine[] = [];
  const done = new Set<number>();
  let open: TextRun[] = [];
  const flush = (): void => {
    lines.push(...pageLines(open, page));
    open = [];
  };
  for (const { run, id } of kept) {
    const table = id === null ? undefined : tableOf.get(id);
    if (table === undefined) open.push(run);
    else if (!done.has(table)) {
      done.add(table);
      flush();
      lines.push(...tableLines(tables[table] ?? [], kept, page));
    }
  }
  flush();
  return lines;
}

interface MarkedRun {
  readonly run: TextRun;
  readonly id: string | null;
  readonly isArtifact: boolean;
}

function markRuns(items: readonly PageItem[]): readonly MarkedRun[] {
  const open: { readonly id: string | null; readonly isArtifact: boolean }[] = [];
  const runs: MarkedRun[] = [];
  for (const item of items) {
    if ('str' in item) {
      const id = open.findLast((mark) => mark.id !== null)?.id ?? null;
      runs.push({ run: item, id, isArtifact: open.some((mark) => mark.isArtifact) });
    } else if (item.type === 'endMarkedContent') open.pop();
    else open.push({ id: item.id ?? null, isArtifact: item.tag === 'Artifact' });
  }
  return runs;
}

function findTables(root: TagNode): readonly TaggedTable[] {
  const tables: TaggedTable[] = [];
  let nodes = 0;
  const visit = (node: TagNode, depth: number): void => {
    nodes += 1;
    if (depth > MAX_DEPTH || nodes > MAX_NODES) return;
    if (node.role === 'Table') {
      const rows = descendants(node, (role) => role === 'TR').map((row) =>
        descendants(row, (role) => role === 'TD' || role === 'TH').map((cell) => ({
          ids: contentIds(cell),
          isHeader: cell.role === 'TH',
        })),
      );
      if (rows.length > 1 && rows.some((row) => row.length > 1)) tables.push(rows);
    } else for (const child of node.children ?? []) visit(child, depth + 1);
  };
  visit(root, 0);
  return tables;
}

/** Returns the nearest descendants with a role, without looking inside them. */
function descendants(node: TagNode, wanted: (role: unknown) => boolean, depth = 0): readonly TagNode[] {
  if (depth > MAX_DEPTH) return [];
  return (node.children ?? []).flatMap((child) =>
    wanted(child.role) ? [child] : descendants(child, wanted, depth + 1),
  );
}

function contentIds(node: TagNode): ReadonlySet<string> {
  const ids = new Set<string>();
  const visit = (one: TagNode, depth: number): void => {
    if (one.type === 'content' && typeof one.id === 'string') ids.add(one.id);
    if (depth < MAX_DEPTH) for (const child of one.children ?? []) visit(child, depth + 1);
  };
  visit(node, 0);
  return ids;
}

function tableLines(table: TaggedTable, runs: readonly MarkedRun[], page: number): readonly PdfLine[] {
  const byId = Map.groupBy(runs, ({ id }) => id);
  const [header = []] = table;
  const hasHeader = header.length > 1 && header.every(({ isHeader }) => isHeader);
  const mark = { hasHeader };
  return table.flatMap((row) => {
    const cells = row.map(({ ids }) => {
      const own = [...ids].flatMap((id) => byId.get(id) ?? []);
      return pageLines(
        own.map(({ run }) => run),
        page,
      );
    });
    const lines = cells.flat();
    const [first] = lines;
    if (first === undefined) return [];
    const fragments = cells.map((cell) => cell.map(({ text }) => text));
    return [{ ...lineOf(first, cells.map(toCell)), tagged: { table: mark, row: fragments } }];
  });
}

function toCell(lines: readonly PdfLine[]): PdfCell {
  return {
    text: lines.map(({ text }) => text).join(' '),
    left: Math.min(...lines.map(({ left }) => left)),
    right: Math.max(...lines.map(({ right }) => right)),
  };
}
