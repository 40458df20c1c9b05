import { type Kysely, sql } from 'kysely';
import { AppError } from '../../base/errors.ts';
import { type DocumentAnswer, findDocumentAnswers } from '../../knowledge/use/document-answers.ts';
import { findUse } from '../../knowledge/use/document-use.ts';
import type { Tables } from '../../storage/tables/tables.ts';
import { StoredPageMemory } from '../page-memory.ts';
import type { AnySourceKind } from '../source-kinds.ts';
import { ItemError, type LedgerBlock } from '../source-reader.ts';
import { requireSource } from '../source-rows.ts';
import { openTools, type ToolParts } from '../source-tools.ts';
import { listRules, type SourceRule } from './block-rules.ts';
import { loadTree } from './page-trees.ts';

const MOST_ANSWERS = 20;
/** Longer than a page may take to be cut. */
const LONGEST_MS = 40_000;

/** Answers rest on the newest reading of an item, on an earlier one, or not on it yet. */
export const answeredStates = ['newest', 'earlier', 'not'] as const;

/** The blocks of an item as it was fetched, why some were cut, and the answers that rest on it. */
export interface Ledger {
  readonly key: string;
  readonly url: string | null;
  readonly title: string | null;
  readonly state: string;
  readonly reason: string | null;
  readonly documentId: string | null;
  readonly passages: number;
  readonly answered: (typeof answeredStates)[number];
  readonly fetchedAt: Date | null;
  readonly checkedAt: Date | null;
  readonly cutAt: Date | null;
  readonly indexedAt: Date | null;
  /** Null if the item is no stored page: a file, an article of a tool, or a page that was not read since. */
  readonly blocks: readonly LedgerBlock[] | null;
  /** False if its document was cut by less than is known now: it is cut anew soon. */
  readonly isCutNow: boolean;
  readonly rules: readonly SourceRule[];
  /** Null if they were not asked for. */
  readonly answers: { readonly count: number; readonly latest: readonly DocumentAnswer[] } | null;
}

interface Dependencies {
  readonly database: Kysely<Tables>;
  readonly tools: ToolParts;
  readonly kinds: readonly AnySourceKind[];
}

interface Place {
  readonly workspaceId: string;
  readonly sourceId: string;
  readonly key: string;
}

/** Throws `source_not_found` and `source_item_not_found`. */
export async function viewLedger(
  dependencies: Dependencies,
  place: Place,
  { hasAnswers }: { readonly hasAnswers: boolean },
): Promise<Ledger> {
  const { database, tools } = dependencies;
  const { workspaceId, key } = place;
  const row = await findItem(database, place);
  const page = await describePage(dependencies, place, row);
  const rules = await listRules(database, place);
  const documentId = row.code === 'deleted_by_hand' ? null : row.document_id;
  const now = tools.clock.now();
  return {
    ...{ key, url: row.url, title: row.title, state: row.state, reason: row.reason, documentId },
    ...{ passages: row.chunk_count ?? 0, answered: answeredBy(row) },
    ...{ fetchedAt: row.fetched_at ?? row.read_at, checkedAt: row.read_at, cutAt: row.cut_at },
    indexedAt: row.indexed_at,
    blocks: page?.blocks ?? null,
    isCutNow: page === null || page.version === row.cut_version,
    rules: rules.filter((rule) => rule.key === null || rule.key === key),
    answers:
      hasAnswers && documentId !== null
        ? {
            count: (await findUse(database, [documentId], now)).get(documentId)?.answers ?? 0,
            latest: await findDocumentAnswers(
              database,
              { workspaceId, documentId },
              { now, most: MOST_ANSWERS },
            ),
          }
        : null,
  };
}

type ItemRow = Awaited<ReturnType<typeof findItem>>;

async function findItem(database: Kysely<Tables>, { workspaceId, sourceId, key }: Place) {
  await requireSource(database, { workspaceId, id: sourceId });
  const row = await database
    .selectFrom('source_item as item')
    .leftJoin('source_page as page', (join) =>
      join.onRef('page.source_id', '=', 'item.source_id').onRef('page.key', '=', 'item.key'),
    )
    .leftJoin('document', 'document.id', 'item.document_id')
    .select(['item.url', 'item.title', 'item.state', 'item.code', 'item.reason', 'item.document_id'])
    .select(['item.depth', 'item.read_at', 'page.tree_hash', 'page.fetched_at', 'page.cut_version'])
    .select(['page.cut_at', 'document.revision', 'document.status', 'document.indexed_at'])
    .select('document.chunk_count')
    .select(sql<boolean>`document.revision = document.wanted_revision`.as('is_newest'))
    .where('item.workspace_id', '=', workspaceId)
    .where('item.source_id', '=', sourceId)
    .where('item.key', '=', key)
    .executeTakeFirst();
  if (row === undefined) throw new AppError('source_item_not_found');
  return row;
}

function answeredBy({ revision, status, is_newest: isNewest, state }: ItemRow): Ledger['answered'] {
  if (revision === null || revision < 1 || status === 'deleted') return 'not';
  return isNewest && state === 'current' ? 'newest' : 'earlier';
}

/**
 * Returns the text of a block of a page, for a rule about it. Throws `source_not_found`, `source_item_not_found` and
 * `source_block_not_found`.
 */
export async function findBlockText(
  dependencies: Dependencies,
  place: Place,
  block: string,
): Promise<string> {
  const row = await findItem(dependencies.database, place);
  const page = await describePage(dependencies, place, row);
  const found = page?.blocks.find(({ hash }) => hash === block);
  if (found === undefined) throw new AppError('source_block_not_found');
  return found.text;
}

/** Cuts a stored page as a run would. Null if none is stored, or it cannot be cut any more. */
async function describePage({ database, tools: parts, kinds }: Dependencies, place: Place, row: ItemRow) {
  const { workspaceId, sourceId, key } = place;
  const tree = row.tree_hash === null ? null : await loadTree(database, workspaceId, row.tree_hash);
  if (tree === null) return null;
  const source = await database
    .selectFrom('source')
    .select(['kind', 'settings', 'include', 'exclude'])
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', sourceId)
    .executeTakeFirst();
  const kind = kinds.find((one) => one.kind === source?.kind);
  const settings = kind?.settings.safeParse(source?.settings);
  const credentials = kind?.credentials.safeParse({});
  if (source === undefined || settings?.success !== true || credentials?.success !== true) return null;
  const { clock } = parts;
  const tools = openTools(parts, {
    ...{ workspaceId, include: source.include, exclude: source.exclude },
    signal: AbortSignal.timeout(LONGEST_MS),
    memory: new StoredPageMemory(
      { database, clock },
      { source_id: sourceId, workspace_id: workspaceId, number: 0 },
    ),
  });
  const { cutter } = kind?.open({ settings: settings.data, credentials: credentials.data }, tools) ?? {};
  if (cutter === undefined) return null;
  const { url, title, depth } = row;
  const item = {
    key,
    depth,
    validators: null,
    ...(url !== null && { url }),
    ...(title !== null && { title }),
  };
  try {
    return { blocks: await cutter.ledger(item, tree), version: await cutter.versionFor(key) };
  } catch (error) {
    if (error instanceof ItemError) return null;
    throw error;
  }
}
