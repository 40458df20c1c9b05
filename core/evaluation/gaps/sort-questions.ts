import { type Kysely, sql, type Transaction } from 'kysely';
import { maskSecrets } from '../../answering/masking.ts';
import { tiersOf } from '../../answering/rules.ts';
import type { Clock } from '../../base/clock.ts';
import { newIdInOrder } from '../../base/ids.ts';
import type { Embedder } from '../../knowledge/embedding/embedder.ts';
import { chooseLanguage } from '../../language/language.ts';
import type { Database } from '../../storage/database.ts';
import type { Tables } from '../../storage/tables/tables.ts';
import type { Workspaces } from '../../workspaces/workspaces.ts';
import { type Cluster, findCluster, gapKinds, joinCluster, type SortableQuestion } from './cluster.ts';
import { embedForGaps } from './question-vector.ts';
import { findUnanswered, gapsSince, readQuestion, type Unanswered } from './unanswered.ts';

interface Dependencies {
  readonly database: Pick<Database, 'kysely'>;
  readonly clock: Clock;
  readonly embedder: Embedder;
  readonly workspaces: Pick<Workspaces, 'get'>;
}

interface Sorting {
  readonly workspaceId: string;
  /** Stops between two batches. */
  readonly signal: AbortSignal;
}

/** The vectors of a batch are made before its transaction. */
const BATCH = 100;

/** A question with what decides where it belongs; without that it belongs nowhere. */
interface ReadQuestion {
  readonly unanswered: Unanswered;
  readonly questionId: string | null;
  readonly sortable: (SortableQuestion & { readonly leastCosine: number }) | null;
}

/**
 * Sorts the questions of the last 90 days that got no answer into gaps: each joins the nearest gap or begins one. Older
 * questions are forgotten. Each answer is sorted once, also by several processes.
 */
export async function sortQuestions(
  dependencies: Dependencies,
  { workspaceId, signal }: Sorting,
): Promise<void> {
  const { clock, embedder } = dependencies;
  const database = dependencies.database.kysely;
  const { settings } = await dependencies.workspaces.get(workspaceId);
  const tiers = tiersOf(settings);
  const since = gapsSince(clock.now());
  for (let isLast = false; !isLast && !signal.aborted; ) {
    const found = await findUnanswered(database, { workspaceId, since, most: BATCH });
    isLast = found.length < BATCH;
    const read: ReadQuestion[] = [];
    for (const unanswered of found) {
      const question = readQuestion(unanswered, tiers);
      const sortable = question && (await toSortable(embedder, question));
      read.push({ unanswered, questionId: question?.id ?? null, sortable });
    }
    await database.transaction().execute(async (transaction) => {
      await store(transaction, { workspaceId, now: clock.now() }, read);
    });
  }
  if (signal.aborted) return;
  await database.transaction().execute(async (transaction) => {
    await finishRound(transaction, { workspaceId, since, now: clock.now() });
  });
}

async function toSortable(
  embedder: Embedder,
  { text, kind }: { readonly text: string; readonly kind: SortableQuestion['kind'] },
): Promise<ReadQuestion['sortable']> {
  const masked = maskSecrets(text);
  const language = chooseLanguage([masked], []);
  const vector = await embedForGaps(embedder, masked, language);
  return vector && { kind, language, ...vector };
}

interface Storing {
  readonly workspaceId: string;
  readonly now: Date;
}

async function store(
  transaction: Transaction<Tables>,
  { workspaceId, now }: Storing,
  read: readonly ReadQuestion[],
): Promise<void> {
  await lockGaps(transaction, workspaceId);
  const clusters = await loadClusters(transaction, workspaceId);
  const known = await findKnown(transaction, read);
  const touched = new Set<string>();
  for (const { unanswered, questionId, sortable } of read) {
    if (known.has(unanswered.messageId)) continue;
    const isNew = questionId !== null && !known.has(questionId);
    if (questionId !== null) known.add(questionId);
    const gapId =
      isNew && sortable !== null
        ? await findGap(transaction, clusters, sortable, { workspaceId, now })
        : null;
    if (gapId !== null) touched.add(gapId);
    await transaction
      .insertInto('gap_question')
      .values({
        message_id: unanswered.messageId,
        workspace_id: workspaceId,
        gap_id: gapId,
        question_id: gapId === null ? null : questionId,
        conversation_id: unanswered.conversationId,
        asked_at: unanswered.askedAt,
        ...(gapId !== null && { model_id: sortable?.modelId, embedding: JSON.stringify(sortable?.vector) }),
      })
      .execute();
  }
  const ids = [...touched];
  await chooseRepresentatives(transaction, workspaceId, ids);
  await reopen(transaction, workspaceId, ids);
}

/** One process at a time changes which question is in which gap. */
export async function lockGaps(transaction: Transaction<Tables>, workspaceId: string): Promise<void> {
  const name = `gaps ${workspaceId}`;
  await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(transaction);
}

async function findGap(
  transaction: Transaction<Tables>,
  clusters: Cluster[],
  question: NonNullable<ReadQuestion['sortable']>,
  { workspaceId, now }: Storing,
): Promise<string> {
  const { kind, language, modelId, vector, leastCosine } = question;
  const nearest = findCluster(clusters, question, leastCosine);
  if (nearest !== null) {
    joinCluster(nearest, question);
    return nearest.id;
  }
  const id = newIdInOrder('gap');
  clusters.push({ id, kind, language, modelId, count: 1, mean: vector });
  await transaction
    .insertInto('gap')
    .values({ id, workspace_id: workspaceId, kind, language, state: 'open', created_at: now })
    .execute();
  return id;
}

async function loadClusters(database: Kysely<Tables>, workspaceId: string): Promise<Cluster[]> {
  const { rows } = await sql<{
    id: string;
    kind: string;
    language: string;
    model_id: number;
    count: number;
    mean: string;
  }>`
    select gap.id, gap.kind, gap.language, model_id, count(*)::int as count, avg(embedding)::text as mean
    from gap join gap_question on gap_question.gap_id = gap.id
    where gap.workspace_id = ${workspaceId} and embedding is not null
    group by gap.id, model_id
  `.execute(database);
  return rows.flatMap(({ id, kind: name, language, model_id: modelId, count, mean }) => {
    const kind = gapKinds.find((each) => each === name);
    return kind === undefined ? [] : [{ id, kind, language, modelId, count, mean: parseVector(mean) }];
  });
}

function parseVector(text: string): readonly number[] {
  return text.slice(1, -1).split(',').map(Number);
}

/** The answers and questions of a batch that another process has sorted meanwhile, or that are sorted by another answer. */
async function findKnown(database: Kysely<Tables>, read: readonly ReadQuestion[]): Promise<Set<string>> {
  const messages = read.map(({ unanswered }) => unanswered.messageId);
  const questions = read.flatMap(({ questionId }) => questionId ?? []);
  const { rows } = await sql<{ id: string }>`
    select message_id as id from gap_question where message_id = any(${messages}::text[])
    union all
    select question_id from gap_question where question_id = any(${questions}::text[])
  `.execute(database);
  return new Set(rows.map(({ id }) => id));
}

/** The question that is nearest to the middle of its gap stands for it. */
export async function chooseRepresentatives(
  database: Kysely<Tables>,
  workspaceId: string,
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return;
  await sql`
    update gap set representative_id = (
      select message_id from gap_question as one
      where one.gap_id = gap.id and one.embedding is not null
      order by one.embedding <#> (
        select avg(other.embedding) from gap_question as other
        where other.gap_id = gap.id and other.model_id = one.model_id
      ), one.asked_at desc
      limit 1
    )
    where workspace_id = ${workspaceId} and id = any(${[...ids]}::text[])
  `.execute(database);
}

/** A gap that was done opens with the next question, a dismissed one only when several come: it was not worth an answer. */
const REOPENS_AFTER = { done: 1, dismissed: 5 } as const;

async function reopen(
  transaction: Transaction<Tables>,
  workspaceId: string,
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return;
  await sql`
    update gap set state = 'open', closed_at = null
    where workspace_id = ${workspaceId} and id = any(${[...ids]}::text[]) and state in ('done', 'dismissed')
      and (
        select count(*) from gap_question
        where gap_question.gap_id = gap.id and gap_question.asked_at > gap.closed_at
      ) >= case state when 'done' then ${REOPENS_AFTER.done}::int else ${REOPENS_AFTER.dismissed}::int end
  `.execute(transaction);
}

/** Forgets questions that are too old, and gaps that have none left. */
async function finishRound(
  database: Transaction<Tables>,
  { workspaceId, since, now }: Storing & { readonly since: Date },
): Promise<void> {
  await lockGaps(database, workspaceId);
  await database
    .deleteFrom('gap_question')
    .where('workspace_id', '=', workspaceId)
    .where('asked_at', '<', since)
    .execute();
  await sql`
    delete from gap
    where workspace_id = ${workspaceId}
      and not exists (select from gap_question where gap_question.gap_id = gap.id)
  `.execute(database);
  const { rows } = await sql<{ id: string }>`
    select id from gap
    where workspace_id = ${workspaceId}
      and not exists (select from gap_question where message_id = representative_id and gap_id = gap.id)
  `.execute(database);
  await chooseRepresentatives(
    database,
    workspaceId,
    rows.map(({ id }) => id),
  );
  await database
    .insertInto('gap_round')
    .values({ workspace_id: workspaceId, at: now })
    .onConflict((conflict) => conflict.column('workspace_id').doUpdateSet({ at: now }))
    .execute();
}
