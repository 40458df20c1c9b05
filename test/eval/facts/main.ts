import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLog } from '../../../core/base/log.ts';
import { listRules, varyRule } from '../../../core/base/rules.ts';
import { readConfig } from '../../../core/config/config.ts';
import { checkNextDocument } from '../../../core/knowledge/facts/check-document.ts';
import { FactConflicts } from '../../../core/knowledge/facts/fact-conflicts.ts';
import { ingestDocument } from '../../../core/knowledge/indexing/ingest-document.ts';
import { openRuntime, type Runtime } from '../../../core/runtime/runtime.ts';
import { type FactCorpus, makeFactCorpus, pairId } from './fact-corpus.ts';
import { heldOut } from './held-out-templates.ts';
import { second } from './second-templates.ts';
import { developed, type FactTemplates } from './templates.ts';
import { third } from './third-templates.ts';

const FORM_OF_USE = `Usage: npm run eval -- facts [OPTION]…

Indexes generated pages with planted contradictions and sentences that are out of date, and prints how many are found: of
the templates that the rules were tuned on, and of those that nobody looked at. Then changes one page and prints the time
that the comparison of its facts takes.

  --pages NUMBER     pages of each corpus; 1000 by default
  --seed NUMBER      7 by default
  --failures         prints what was missed and what was wrongly found
  --rule NAME=VALUE  sets a rule to another value, such as facts.sharedShare=0.7; may be repeated
`;

/** The day on which the texts of the templates are judged. */
const NOW = new Date('2026-11-27T12:00:00Z');

/** Measures how contradictions are found. Returns the exit code. */
export async function evaluateFacts(args: readonly string[]): Promise<number> {
  if (args.includes('--help')) {
    process.stdout.write(FORM_OF_USE);
    return 0;
  }
  const valuesOf = (option: string) => args.filter((_, index) => args[index - 1] === option);
  for (const change of valuesOf('--rule')) {
    const [name = '', value] = change.split('=');
    if (value === undefined || !varyRule(name, Number(value))) {
      const known = [...listRules()].map(([rule, current]) => `  ${rule}=${current}\n`);
      process.stderr.write(`Unknown rule: ${change}. The rules:\n${known.join('')}`);
      return 2;
    }
  }
  const size = {
    pages: Number(valuesOf('--pages')[0] ?? 1_000),
    seed: Number(valuesOf('--seed')[0] ?? 7),
  };
  const tuned = joinTemplates(developed, second, third);
  print(
    'templates    pages  planted  found  right  recall  precision  stale  recall  precision  most ms  changed ms',
  );
  for (const [name, templates] of [
    ['tuned', tuned],
    ['held out', heldOut],
  ] as const) {
    await measureCorpus(name, makeFactCorpus(templates, size), args.includes('--failures'));
  }
  return 0;
}

function joinTemplates(...all: readonly FactTemplates[]): FactTemplates {
  return {
    contradictions: all.flatMap(({ contradictions }) => contradictions),
    decoys: all.flatMap(({ decoys }) => decoys),
    stale: all.flatMap(({ stale }) => stale),
    current: all.flatMap(({ current }) => current),
  };
}

async function measureCorpus(name: string, corpus: FactCorpus, isVerbose: boolean): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'parley-eval-'));
  const runtime = await openRuntime(readConfig({ ...process.env, DATA_DIR: folder }), createLog('warn'));
  try {
    const clock = { now: () => NOW };
    const { workspace } = await runtime.workspaces.create({ name, plan: 'enterprise' });
    const pageOf = await indexPages(runtime, workspace.id, corpus);
    const times = await checkAll(runtime);
    const found = await findAll(runtime, workspace.id, pageOf, clock);
    const changed = await changePage(runtime, workspace.id, corpus, pageOf);
    const right = [...found.pairs].filter((pair) => corpus.planted.has(pair)).length;
    const past = [...found.past].filter((page) => corpus.stale.has(page)).length;
    const cells = [
      ...[name, corpus.pages.length, corpus.planted.size, found.pairs.size, right],
      ...[right / corpus.planted.size, right / found.pairs.size, found.past.size],
      ...[past / corpus.stale.size, past / found.past.size, Math.max(...times), changed],
    ];
    const widths = [12, 6, 8, 6, 6, 7, 10, 6, 7, 10, 8, 10];
    print(cells.map((cell, index) => format(cell).padEnd(widths[index] ?? 8)).join(' '));
    if (isVerbose) printFailures(corpus, found);
  } finally {
    await runtime.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

function format(cell: string | number): string {
  if (typeof cell === 'string') return cell;
  return Number.isInteger(cell) ? String(cell) : cell.toFixed(cell < 10 ? 2 : 0);
}

async function indexPages(
  runtime: Runtime,
  workspaceId: string,
  { pages }: FactCorpus,
): Promise<ReadonlyMap<string, string>> {
  const pageOf = new Map<string, string>();
  for (const { id, title, text } of pages) {
    const bytes = Buffer.from(text);
    const fileName = `${id}.md`;
    const added = await runtime.documents.add({
      workspaceId,
      bytes,
      title,
      fileName,
      contentType: 'text/markdown',
    });
    pageOf.set(added.id, id);
    await ingestDocument({ ...runtime, database: runtime.database.kysely }, added.id);
  }
  return pageOf;
}

/** Compares all pages that wait. Returns the milliseconds that each took. */
async function checkAll({ database }: Runtime): Promise<readonly number[]> {
  const times: number[] = [];
  for (;;) {
    const startedAt = performance.now();
    const checked = await checkNextDocument({ database: database.kysely, clock: { now: () => NOW } });
    if (checked === null) return times;
    times.push(performance.now() - startedAt);
  }
}

interface Found {
  readonly pairs: Set<string>;
  readonly past: Set<string>;
  /** The texts that were found, by the pair or the page. */
  readonly texts: Map<string, string>;
}

async function findAll(
  { database }: Runtime,
  workspaceId: string,
  pageOf: ReadonlyMap<string, string>,
  clock: { now: () => Date },
): Promise<Found> {
  const conflicts = new FactConflicts({ database: database.kysely, clock });
  const [pairs, past, texts] = [new Set<string>(), new Set<string>(), new Map<string, string>()];
  for (let cursor: string | undefined; ; ) {
    const page = await conflicts.list(workspaceId, { status: 'open', limit: 100, cursor });
    for (const { sides } of page.items) {
      const [first = '', other] = sides.map(({ documentId }) => pageOf.get(documentId) ?? '');
      if (other === undefined) past.add(first);
      else pairs.add(pairId(first, other));
      texts.set(
        other === undefined ? first : pairId(first, other),
        sides.map(({ text }) => text).join(' | '),
      );
    }
    if (page.nextCursor === null) return { pairs, past, texts };
    cursor = page.nextCursor;
  }
}

/** Replaces a page by a long one with many facts, and returns the milliseconds that their comparison takes. */
async function changePage(
  runtime: Runtime,
  workspaceId: string,
  { pages }: FactCorpus,
  pageOf: ReadonlyMap<string, string>,
): Promise<number> {
  const [id] = pageOf.keys();
  if (id === undefined) return 0;
  const lines = pages.slice(0, 120).map(({ text }) => text.split('\n\n')[2] ?? '');
  const bytes = Buffer.from(`# Everything\n\n${lines.join('\n\n')}\n`);
  await runtime.documentChanges.replace({ workspaceId, id }, { bytes, contentType: 'text/markdown' });
  await ingestDocument({ ...runtime, database: runtime.database.kysely }, id);
  return Math.max(...(await checkAll(runtime)));
}

function printFailures(corpus: FactCorpus, { pairs, past, texts }: Found): void {
  const textOf = (page: string) => corpus.pages.find(({ id }) => id === page)?.text.split('\n\n')[2] ?? '';
  for (const pair of corpus.planted) {
    if (!pairs.has(pair)) print(`missed  ${pair.split(' ').map(textOf).join(' | ')}`);
  }
  for (const pair of pairs) if (!corpus.planted.has(pair)) print(`wrong   ${texts.get(pair)}`);
  for (const page of corpus.stale) if (!past.has(page)) print(`not past  ${textOf(page)}`);
  for (const page of past) if (!corpus.stale.has(page)) print(`wrongly past  ${texts.get(page)}`);
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
