import { type Kysely, sql } from 'kysely';
import { z } from 'zod';
import { cutPage, type Page, type PageRequest, readCursor, writeCursor } from '../../base/pagination.ts';
import type { Tables } from '../../storage/tables/tables.ts';
import { type GapKind, gapKinds } from './cluster.ts';
import { maskWords } from './mask-words.ts';

export const gapStates = ['open', 'planned', 'done', 'dismissed'] as const;
export type GapState = (typeof gapStates)[number];

/** The number of weeks in the trend of a gap: those of 90 days. */
export const GAP_WEEKS = 13;

export interface Gap {
  readonly id: string;
  readonly kind: GapKind;
  readonly language: string;
  readonly state: GapState;
  /** The question that stands for all, masked. */
  readonly question: string;
  readonly questions: number;
  readonly people: number;
  /** Questions by week, the oldest first. */
  readonly weeks: readonly number[];
  readonly channels: readonly string[];
  /** The document that was nearest to the question, with its score then. */
  readonly nearest: { readonly documentId: string; readonly title: string; readonly score: number } | null;
  /** Conversations in which a person answered. */
  readonly replies: number;
  /** The curated answer that was written for it. */
  readonly answerId: string | null;
  /** The answers of today to its questions. Null: they were not asked again. */
  readonly check: {
    readonly at: Date;
    readonly isRunning: boolean;
    readonly asked: number;
    readonly answered: number;
    readonly unsure: number;
  } | null;
  readonly changedBy: string | null;
}

interface GapRow {
  readonly id: string;
  readonly kind: string;
  readonly language: string;
  readonly state: string;
  readonly answer_id: string | null;
  readonly check_from: Date | null;
  readonly changed_by: string | null;
  readonly questions: number;
}

interface GapFilter {
  readonly state?: GapState | undefined;
  readonly kind?: GapKind | undefined;
}

const positionSchema = z.tuple([z.int(), z.string().regex(/^\w+$/)]);

/** A page of the gaps, most asked first. Throws `invalid_cursor`. */
export async function listGaps(
  database: Kysely<Tables>,
  { workspaceId, now, state, kind }: GapFilter & { readonly workspaceId: string; readonly now: Date },
  page: PageRequest,
): Promise<Page<Gap>> {
  const list = `gaps ${workspaceId} ${state ?? ''} ${kind ?? ''}`;
  const after = page.cursor === undefined ? null : readCursor(list, page.cursor, positionSchema);
  const rows = await selectGaps(database, {
    ...{ workspaceId, limit: page.limit + 1 },
    where: sql`(${state ?? null}::text is null or state = ${state ?? null})
      and (${kind ?? null}::text is null or kind = ${kind ?? null})`,
    after: after === null ? sql`true` : sql`(count(*)::int, gap.id) < (${after[0]}::int, ${after[1]})`,
  });
  const { items, nextCursor } = cutPage(rows, page.limit, ({ questions, id }) =>
    writeCursor(list, [questions, id]),
  );
  return { items: await describeGaps(database, items, { workspaceId, now }), nextCursor };
}

/** Returns one gap; null if there is none with this id. */
export async function findGap(
  database: Kysely<Tables>,
  { workspaceId, id, now }: { readonly workspaceId: string; readonly id: string; readonly now: Date },
): Promise<Gap | null> {
  const rows = await selectGaps(database, {
    ...{ workspaceId, limit: 1 },
    where: sql`gap.id = ${id}`,
    after: sql`true`,
  });
  const [gap] = await describeGaps(database, rows, { workspaceId, now });
  return gap ?? null;
}

/** Counts the gaps of a workspace by state. */
export async function countGaps(
  database: Kysely<Tables>,
  workspaceId: string,
): Promise<Readonly<Record<GapState, number>>> {
  const { rows } = await sql<{ state: string; count: number }>`
    select state, count(*)::int as count from gap
    where workspace_id = ${workspaceId}
      and exists (select from gap_question where gap_question.gap_id = gap.id)
    group by state
  `.execute(database);
  const countOf = (state: GapState) => rows.find((row) => row.state === state)?.count ?? 0;
  return {
    open: countOf('open'),
    planned: countOf('planned'),
    done: countOf('done'),
    dismissed: countOf('dismissed'),
  };
}

interface Selection {
  readonly workspaceId: string;
  readonly where: ReturnType<typeof sql>;
  readonly after: ReturnType<typeof sql>;
  readonly limit: number;
}

async function selectGaps(
  database: Kysely<Tables>,
  { workspaceId, where, after, limit }: Selection,
): Promise<readonly GapRow[]> {
  const { rows } = await sql<GapRow>`
    select gap.id, kind, language, state, answer_id, check_from, changed_by, count(*)::int as questions
    from gap join gap_question on gap_question.gap_id = gap.id
    where gap.workspace_id = ${workspaceId} and ${where}
    group by gap.id
    having ${after}
    order by count(*) desc, gap.id desc
    limit ${limit}
  `.execute(database);
  return rows;
}

interface Described {
  readonly id: string;
  readonly people: number;
  readonly channels: readonly string[];
  readonly replies: number;
  readonly weeks: readonly number[];
  readonly checked: number;
  readonly answered: number;
  readonly unsure: number;
  readonly question: string | null;
  readonly nearest: { readonly document_id: string; readonly title: string; readonly score: number } | null;
  readonly name: string | null;
  readonly email: string | null;
  readonly phone: string | null;
}

const WEEK_SECONDS = 7 * 24 * 3_600;

async function describeGaps(
  database: Kysely<Tables>,
  gaps: readonly GapRow[],
  { workspaceId, now }: { readonly workspaceId: string; readonly now: Date },
): Promise<readonly Gap[]> {
  if (gaps.length === 0) return [];
  const ids = gaps.map(({ id }) => id);
  const { rows } = await sql<Described>`
    select gap.id, total.*, first.question, first.nearest, first.name, first.email, first.phone
    from gap
    cross join lateral (
      select
        count(distinct coalesce(customer_user_id, lower(customer_email), session_id, conversation.id))::int as people,
        array_agg(distinct channel) as channels,
        count(distinct conversation.id) filter (where replied.yes)::int as replies,
        array_agg(floor(extract(epoch from (${now}::timestamptz - asked_at)) / ${WEEK_SECONDS}::int)::int) as weeks,
        count(*) filter (where checked_at >= gap.check_from)::int as checked,
        count(*) filter (where checked_at >= gap.check_from and tier = 'answer')::int as answered,
        count(*) filter (where checked_at >= gap.check_from and tier = 'maybe')::int as unsure
      from gap_question
      join conversation on conversation.id = gap_question.conversation_id
      cross join lateral (
        select exists (
          select from message
          join message as asked on asked.id = gap_question.message_id
          where message.conversation_id = conversation.id and message.role = 'agent'
            and message.position > asked.position and message.deleted_at is null
        ) as yes
      ) as replied
      where gap_question.gap_id = gap.id
    ) as total
    left join lateral (
      select said.content as question, answer.decision -> 'passages' -> 0 as nearest,
             conversation.customer_name as name, conversation.customer_email as email,
             conversation.customer_phone as phone
      from gap_question
      join message as said on said.id = gap_question.question_id and said.deleted_at is null
      join message as answer on answer.id = gap_question.message_id
      join conversation on conversation.id = gap_question.conversation_id
      where gap_question.gap_id = gap.id
      order by (gap_question.message_id = gap.representative_id) desc nulls last, asked_at desc
      limit 1
    ) as first on true
    where gap.workspace_id = ${workspaceId} and gap.id = any(${ids}::text[])
  `.execute(database);
  const byId = new Map(rows.map((row) => [row.id, row]));
  return gaps.flatMap((gap) => {
    const described = byId.get(gap.id);
    return described === undefined ? [] : [toGap(gap, described)];
  });
}

function toGap(row: GapRow, described: Described): Gap {
  const { nearest, question, answered, unsure, checked } = described;
  return {
    id: row.id,
    kind: gapKinds.find((kind) => kind === row.kind) ?? 'nothing',
    language: row.language,
    state: gapStates.find((state) => state === row.state) ?? 'open',
    question: maskWords(question ?? '', described),
    questions: row.questions,
    people: described.people,
    weeks: countWeeks(described.weeks),
    channels: [...described.channels].sort(),
    nearest: nearest && {
      documentId: nearest.document_id,
      title: nearest.title,
      score: nearest.score,
    },
    replies: described.replies,
    answerId: row.answer_id,
    check: row.check_from && {
      at: row.check_from,
      isRunning: checked < row.questions,
      ...{ asked: checked, answered, unsure },
    },
    changedBy: row.changed_by,
  };
}

/** `ages` are weeks before now. */
function countWeeks(ages: readonly number[]): readonly number[] {
  const weeks = new Array<number>(GAP_WEEKS).fill(0);
  for (const age of ages) {
    const place = GAP_WEEKS - 1 - Math.min(GAP_WEEKS - 1, Math.max(0, age));
    weeks[place] = (weeks[place] ?? 0) + 1;
  }
  return weeks;
}
