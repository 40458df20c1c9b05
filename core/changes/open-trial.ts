import { type Kysely, sql } from 'kysely';
import { AppError } from '../base/errors.ts';
import type { Corpora } from '../knowledge/corpus/corpora.ts';
import type { Corpus } from '../knowledge/corpus/corpus.ts';
import { loadCorpus } from '../knowledge/corpus/load-corpus.ts';
import type { SearchDependencies } from '../knowledge/search.ts';
import type { Tables } from '../storage/tables/tables.ts';
import { mergeSettings } from '../workspaces/settings-change.ts';
import type { WorkspaceSettings } from '../workspaces/workspace-settings.ts';
import type { Workspace } from '../workspaces/workspaces.ts';
import { type ChangeItem, changesDocuments } from './change-item.ts';
import { type ChangeSet, loadItems } from './change-set.ts';
import { stagedMarks } from './curated-items.ts';
import { requireReady } from './staged-documents.ts';

interface Dependencies {
  readonly database: Kysely<Tables>;
  readonly corpora: Corpora;
}

/** A workspace as it will be when a change set is published: with it, a question gets the answer that it will get then. */
export interface Trial {
  readonly workspace: Workspace;
  readonly corpora: SearchDependencies['corpora'];
}

/** A trial with documents searches in memory: 10 kB a passage. */
const MAX_PASSAGES = 20_000;

/**
 * Opens the trial of a set. With documents, everything that a search reads is loaded into memory: the live documents without
 * those that the set replaces or removes, and the staged ones in their place. Skills act for real, so none runs in a trial.
 * Visitors search the database or a corpus of
 * their own, and meet nothing of it. Throws `change_set_not_ready` and `change_set_too_large`.
 */
export async function openTrial(
  { database, corpora }: Dependencies,
  { workspace, set }: { readonly workspace: Workspace; readonly set: ChangeSet },
): Promise<Trial> {
  const items = await loadItems(database, set);
  await requireReady(database, { set, items });
  const settings = items.flatMap(({ change }) => (change.kind === 'settings' ? [change.settings] : []));
  const changed = {
    ...workspace,
    settings: settings.reduce<WorkspaceSettings>(mergeSettings, workspace.settings),
  };
  if (!items.some(changesDocuments)) return { workspace: changed, corpora };
  const modelId = (await corpora.findModel(workspace.id)) ?? (await findStagedModel(corpora, set)) ?? 0;
  const staged = await stagedMarks(database, set, items);
  const corpus = await loadTrialCorpus(database, { workspaceId: workspace.id, modelId, set, items });
  return {
    workspace: changed,
    corpora: {
      current: async () => corpus,
      findModel: async () => modelId,
      loaded: () => corpus,
      staged,
    },
  };
}

/** Throws `change_set_too_large` if a trial with documents would need too much memory. */
export async function requireSize(
  database: Kysely<Tables>,
  { set, items }: { readonly set: ChangeSet; readonly items: readonly ChangeItem[] },
): Promise<void> {
  if (!items.some(changesDocuments)) return;
  const { passages } = await database
    .selectFrom('scope')
    .select(sql<number>`coalesce(sum(chunk_count), 0)::int`.as('passages'))
    .where('workspace_id', '=', set.workspaceId)
    .executeTakeFirstOrThrow();
  if (passages > MAX_PASSAGES) throw new AppError('change_set_too_large');
}

async function findStagedModel(corpora: Corpora, { stagingId }: ChangeSet): Promise<number | null> {
  return stagingId === null ? null : corpora.findModel(stagingId);
}

interface Loading {
  readonly workspaceId: string;
  readonly modelId: number;
  readonly set: ChangeSet;
  readonly items: readonly ChangeItem[];
}

async function loadTrialCorpus(
  database: Kysely<Tables>,
  { workspaceId, modelId, set, items }: Loading,
): Promise<Corpus> {
  const without = items.flatMap(({ documentId }) => documentId ?? []);
  const live = await loadCorpus(database, { workspaceId, modelId, documents: { without } }, MAX_PASSAGES);
  const only = items.flatMap(({ stagedDocumentId }) => stagedDocumentId ?? []);
  const staged =
    set.stagingId === null
      ? null
      : await loadCorpus(
          database,
          { workspaceId: set.stagingId, modelId, documents: { only } },
          MAX_PASSAGES,
        );
  if (live === null || (staged === null && set.stagingId !== null))
    throw new AppError('change_set_too_large');
  const scopes = [...live.scopes, ...withLiveIds(staged?.scopes ?? [], items)];
  return { scopes, modelId, bytes: live.bytes + (staged?.bytes ?? 0) };
}

/** A staged document that replaces another one is known by the id of that one, as it is after publishing. */
function withLiveIds(scopes: Corpus['scopes'], items: readonly ChangeItem[]): Corpus['scopes'] {
  const liveIds = new Map(items.map(({ stagedDocumentId, documentId }) => [stagedDocumentId, documentId]));
  return scopes.map((scope) => ({
    ...scope,
    passages: scope.passages.map((passage) => ({
      ...passage,
      documentId: liveIds.get(passage.documentId) ?? passage.documentId,
    })),
  }));
}
