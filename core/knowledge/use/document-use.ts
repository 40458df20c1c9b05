import {
  type Kysely,
  type RawBuilder,
  type Selectable,
  type SelectQueryBuilder,
  sql,
  type Transaction,
} from 'kysely';
import { z } from 'zod';
import { cutPage, type Page, type PageRequest, readCursor, writeCursor } from '../../base/pagination.ts';
import { Settings } from '../../storage/settings.ts';
import type { DocumentTable } from '../../storage/tables/knowledge-tables.ts';
import type { Tables } from '../../storage/tables/tables.ts';

/** The use of a document in the last 30 days, as maintenance counted it. */
export interface DocumentUse {
  /** Answers that rest on it. */
  readonly answers: number;
  /** Those of them with a visitor's opinion. */
  readonly rated: number;
  readonly disliked: number;
}

const DAYS = 30;
const dayMs = 24 * 3_600_000;

/** The first of the days that count, in UTC. */
function firstDay(now: Date): string {
  return isoDay(new Date(now.getTime() - (DAYS - 1) * dayMs));
}

/** Returns the use of each of these documents. */
export async function findUse(
  database: Kysely<Tables>,
  ids: readonly string[],
  now: Date,
): Promise<ReadonlyMap<string, DocumentUse>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<DocumentUse & { id: string }>`
    select asked.id, used.answers, used.rated, used.disliked
    from unnest(${[...ids]}::text[]) as asked (id)
    cross join lateral (
      select sum(answers)::int as answers, sum(rated)::int as rated, sum(disliked)::int as disliked
      from document_day where document_id = asked.id and day >= ${firstDay(now)}::date
    ) as used
    where used.answers is not null
  `.execute(database);
  return new Map(rows.map(({ id, ...use }) => [id, use]));
}

/** The values by which documents are sorted, highest first. */
export const useOrders = {
  answers: sql<number>`coalesce(used.answers, 0)::float8`,
  disliked: sql<number>`coalesce(used.disliked::float8 / nullif(used.rated, 0), -1)`,
} as const satisfies Record<string, RawBuilder<number>>;

interface UseOrder {
  readonly list: string;
  readonly order: RawBuilder<number>;
  readonly now: Date;
}

/** A page of the documents by their use in the last 30 days, highest first. Equal values are sorted by descending id. */
export async function pageByUse(
  query: SelectQueryBuilder<Tables, 'document', object>,
  { list, order, now }: UseOrder,
  page: PageRequest,
): Promise<Page<Selectable<DocumentTable>>> {
  let selected = query
    .leftJoinLateral(
      (from) =>
        from
          .selectFrom('document_day')
          .select(
            ['answers', 'rated', 'disliked'].map((column) => sql<number>`sum(${sql.ref(column)})`.as(column)),
          )
          .whereRef('document_id', '=', 'document.id')
          .where(sql<boolean>`day >= ${firstDay(now)}::date`)
          .as('used'),
      (join) => join.onTrue(),
    )
    .selectAll('document')
    .select(order.as('page_value'))
    .orderBy('page_value', 'desc')
    .orderBy('id', 'desc')
    .limit(page.limit + 1);
  if (page.cursor !== undefined) {
    const [value, id] = readCursor(list, page.cursor, usePositionSchema);
    selected = selected.where(sql<boolean>`(${order}, id) < (${value}::float8, ${id})`);
  }
  const rows = await selected.execute();
  return cutPage(rows, page.limit, (row) => writeCursor(list, [row.page_value, row.id]));
}

const usePositionSchema = z.tuple([z.number(), z.string().regex(/^\w+$/)]);

const settingName = 'document_use_counted_until';
const pauseMs = 5 * 60_000;
/** Longer than a transaction takes from its time to its commit. */
const lagMs = 10 * 60_000;

/**
 * Counts a day's answers by document, every five minutes, and the earlier days of which a visitor's opinion is new.
 * Counting does not slow down the statement that stores an answer, where answers from one document would wait for each
 * other. Returns whether there is another day to count.
 */
export async function countDocumentUse(transaction: Transaction<Tables>, now: Date): Promise<boolean> {
  const oldest = new Date(Date.parse(firstDay(now)) + lagMs);
  const stored = await readCounted(transaction);
  const from = stored === null || stored < oldest ? oldest : stored;
  if (stored !== null && now.getTime() - from.getTime() < pauseMs) return false;
  const day = isoDay(new Date(from.getTime() - lagMs));
  await countDay(transaction, day);
  const dayEnds = new Date(Date.parse(day) + dayMs + lagMs);
  const isLast = dayEnds > now;
  if (isLast) {
    await countRatedDays(transaction, { since: new Date(from.getTime() - lagMs), first: oldest, today: day });
    await sql`delete from document_day where day < ${firstDay(now)}::date`.execute(transaction);
  }
  const until = (isLast ? now : dayEnds).toISOString();
  await new Settings(transaction).set(settingName, until);
  return !isLast;
}

async function readCounted(transaction: Transaction<Tables>): Promise<Date | null> {
  const row = await transaction
    .selectFrom('setting')
    .select('value')
    .where('name', '=', settingName)
    .executeTakeFirst();
  const { data } = z.iso.datetime().safeParse(row?.value);
  return data === undefined ? null : new Date(data);
}

interface RatedDays {
  readonly since: Date;
  readonly first: Date;
  readonly today: string;
}

async function countRatedDays(
  transaction: Transaction<Tables>,
  { since, first, today }: RatedDays,
): Promise<void> {
  const { rows } = await sql<{ day: string }>`
    select distinct to_char(created_at at time zone 'UTC', 'YYYY-MM-DD') as day from message
    where feedback_at >= ${since} and created_at >= ${first}
  `.execute(transaction);
  for (const { day } of rows) if (day !== today) await countDay(transaction, day);
}

async function countDay(transaction: Transaction<Tables>, day: string): Promise<void> {
  const [from, to] = [new Date(Date.parse(day)), new Date(Date.parse(day) + dayMs)];
  await sql`
    insert into document_day (document_id, day, answers, rated, disliked)
    select document.id, ${day}::date, count(*), count(feedback), count(*) filter (where feedback = 'down')
    from message
    cross join lateral (
      select distinct source ->> 'documentId' as id from jsonb_array_elements(message.sources) as source
    ) as used
    join document on document.id = used.id and document.workspace_id = message.workspace_id
    where message.confidence in ('high', 'medium') and jsonb_typeof(message.sources) = 'array'
      and message.created_at >= ${from} and message.created_at < ${to}
    group by document.id
    on conflict (document_id, day) do update
    set answers = excluded.answers, rated = excluded.rated, disliked = excluded.disliked
  `.execute(transaction);
}

function isoDay(at: Date): string {
  return at.toISOString().slice(0, 10);
}
