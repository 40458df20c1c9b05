import { type Kysely, type Selectable, sql } from 'kysely';
import { type Rehearsal, type RehearsalDependencies, rehearse } from '../answering/rehearsal.ts';
import { AppError } from '../base/errors.ts';
import { truncateText } from '../base/text.ts';
import { roundScore } from '../contract/answer.ts';
import { EmbeddingError } from '../knowledge/embedding/embedder.ts';
import { chooseLanguage } from '../language/language.ts';
import type { Tables } from '../storage/tables/tables.ts';
import type { Workspace, Workspaces } from '../workspaces/workspaces.ts';
import type { ReadMails } from './formats/mbox.ts';
import { type HeldImport, leaseEnd, letGoOfImport, takeImport } from './import-lease.ts';
import { judgeAgreement } from './judge-agreement.ts';
import { readImport } from './read-import.ts';
import type { TicketVerdict } from './report.ts';

interface Dependencies extends RehearsalDependencies {
  readonly workspaces: Pick<Workspaces, 'get'>;
  readonly readMails: ReadMails;
}

/** After it, the import waits for its next turn. */
const SLICE_MS = 10_000;
const QUESTION_MS = 60_000;
const MAX_ANSWER = 2_000;
const MAX_SAMPLE = 100;

type TicketRow = Selectable<Tables['imported_ticket']>;

/**
 * Reads an import, or answers its next questions on trial: nothing is sent, counted or fired. Returns the number of the next
 * slice if something is left; null if the import has ended, or another process has it.
 */
export async function runImportSlice(
  dependencies: Dependencies,
  { importId, signal }: { readonly importId: string; readonly signal: AbortSignal },
): Promise<number | null> {
  const { clock } = dependencies;
  const database = dependencies.database.kysely;
  const startedAt = clock.now().getTime();
  const held = await takeImport(database, importId, clock.now());
  if (held === null) return null;
  const workspace = await dependencies.workspaces.get(held.workspaceId).catch((error: unknown) => {
    if (error instanceof AppError && error.code === 'workspace_not_found') return null;
    throw error;
  });
  if (workspace === null) return null;
  if (held.state === 'reading') {
    await readImport({ database, clock, readMails: dependencies.readMails }, held, signal);
    return letGoOfImport(database, importId);
  }
  while (!signal.aborted && clock.now().getTime() - startedAt < SLICE_MS) {
    const ticket = await nextTicket(database, held);
    if (ticket === null) {
      await finish(database, held, clock.now());
      return null;
    }
    await answerTicket(dependencies, { workspace, held, ticket, signal });
  }
  return letGoOfImport(database, importId);
}

async function nextTicket(
  database: Kysely<Tables>,
  { id, workspaceId }: HeldImport,
): Promise<TicketRow | null> {
  const row = await database
    .selectFrom('imported_ticket')
    .innerJoin('ticket_import', 'ticket_import.id', 'imported_ticket.import_id')
    .selectAll('imported_ticket')
    .where('ticket_import.id', '=', id)
    .where('ticket_import.workspace_id', '=', workspaceId)
    .where('ticket_import.state', '=', 'answering')
    .where('imported_ticket.import_id', '=', id)
    .where('imported_ticket.verdict', 'is', null)
    .orderBy('imported_ticket.id')
    .limit(1)
    .executeTakeFirst();
  return row ?? null;
}

interface Answering {
  readonly workspace: Workspace;
  readonly held: HeldImport;
  readonly ticket: TicketRow;
  readonly signal: AbortSignal;
}

async function answerTicket(dependencies: Dependencies, answering: Answering): Promise<void> {
  const { held, ticket, signal } = answering;
  const database = dependencies.database.kysely;
  const deadline = AbortSignal.any([signal, AbortSignal.timeout(QUESTION_MS)]);
  const outcome = await tryTicket(dependencies, { ...answering, signal: deadline }).catch(
    (error: unknown) => {
      if (error instanceof AppError || deadline.aborted) return failed;
      throw error;
    },
  );
  // The worker stops: another one asks the question again.
  if (signal.aborted) return;
  const { verdict, because, likeness, rehearsal } = outcome;
  const answer = rehearsal?.answer;
  const [source] = answer?.sources ?? [];
  await database.transaction().execute(async (transaction) => {
    const stored = await transaction
      .updateTable('imported_ticket')
      .set({
        ...{ verdict, because },
        likeness: likeness === null ? null : roundScore(likeness),
        answer: answer === undefined ? null : truncateText(answer.text, MAX_ANSWER),
        probability: answer?.probability == null ? null : roundScore(answer.probability),
        source_id: source?.documentId ?? null,
        source_title: source?.title ?? null,
      })
      .where('id', '=', ticket.id)
      .where('import_id', '=', held.id)
      .where('verdict', 'is', null)
      .executeTakeFirst();
    if (stored.numUpdatedRows === 0n) return;
    const column = columns[verdict];
    await transaction
      .updateTable('ticket_import')
      .set({
        held_until: leaseEnd(dependencies.clock.now()),
        [column]: sql<number>`${sql.ref(column)} + 1`,
      })
      .where('id', '=', held.id)
      .where('workspace_id', '=', held.workspaceId)
      .execute();
  });
}

const columns = {
  agrees: 'agrees_count',
  differs: 'differs_count',
  maybe: 'maybe_count',
  none: 'none_count',
  no_question: 'no_question_count',
  error: 'error_count',
} as const satisfies { readonly [Name in TicketVerdict]: keyof Tables['ticket_import'] };

interface Outcome {
  readonly verdict: TicketVerdict;
  readonly because: string;
  readonly likeness: number | null;
  readonly rehearsal: Rehearsal | null;
}

const failed: Outcome = {
  verdict: 'error',
  because: 'The answer failed or took too long.',
  likeness: null,
  rehearsal: null,
};

async function tryTicket(
  dependencies: Dependencies,
  { workspace, held, ticket, signal }: Answering,
): Promise<Outcome> {
  const rehearsal = await rehearse(dependencies, {
    ...{ workspace, signal, language: ticket.language, model: held.model, audience: held.audience },
    text: ticket.question,
    earlierTurns: [],
    summary: null,
    channel: 'api',
    conversationId: null,
    strictness: workspace.settings.strictness ?? 'strict',
  });
  const { answer, decision } = rehearsal;
  const because = decision?.because ?? '';
  if (decision?.understood === 'small talk')
    return { verdict: 'no_question', because, likeness: null, rehearsal };
  if (answer.tier !== 'answer') return { verdict: answer.tier, because, likeness: null, rehearsal };
  const cosine = await compareMeanings(dependencies, answer.text, ticket.reply);
  const { agrees, because: compared } = judgeAgreement({
    ...{ question: ticket.question, reply: ticket.reply, answer: answer.text, cosine },
    language: ticket.language ?? chooseLanguage([ticket.reply], []),
  });
  return { verdict: agrees ? 'agrees' : 'differs', because: compared, likeness: cosine, rehearsal };
}

/** Returns the cosine of two texts; null if no model embeds them now. */
async function compareMeanings(
  { embedder }: Pick<Dependencies, 'embedder'>,
  ...texts: readonly [string, string]
): Promise<number | null> {
  const vectors = await embedder.embedPassages(texts).catch((error: unknown) => {
    if (error instanceof EmbeddingError || error instanceof AppError) return [];
    throw error;
  });
  const [one, other] = vectors;
  if (one === undefined || other === undefined) return null;
  return one.reduce((sum, value, index) => sum + value * (other[index] ?? 0), 0);
}

/** Ends an import and draws the sample: from answers that agree and from those that differ in turn, by chance. */
async function finish(database: Kysely<Tables>, { id, workspaceId }: HeldImport, now: Date): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    const ended = await transaction
      .updateTable('ticket_import')
      .set({ state: 'finished', finished_at: now, held_until: sql<Date>`'-infinity'` })
      .where('id', '=', id)
      .where('workspace_id', '=', workspaceId)
      .where('state', '=', 'answering')
      .executeTakeFirst();
    if (ended.numUpdatedRows === 0n) return;
    await sql`
      update imported_ticket set is_sampled = true
      where import_id = ${id} and id in (
        select id from (
          select id, row_number() over (partition by verdict order by md5(id)) as place
          from imported_ticket
          where import_id = ${id} and verdict in ('agrees', 'differs')
        ) ranked
        order by place, md5(id)
        limit ${MAX_SAMPLE}
      )
    `.execute(transaction);
  });
}
