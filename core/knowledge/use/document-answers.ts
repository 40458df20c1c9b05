import { type Kysely, sql } from 'kysely';
import type { Tables } from '../../storage/tables/tables.ts';

/** An answer that rests on a document. */
export interface DocumentAnswer {
  readonly messageId: string;
  readonly conversationId: string;
  readonly question: string;
  readonly at: Date;
  readonly confidence: string;
  readonly feedback: string | null;
  /** The passages of the document that it rests on, in Markdown. */
  readonly passages: readonly string[];
}

const DAYS = 30;
const dayMs = 24 * 3_600_000;

/**
 * Returns the latest answers of the last 30 days that rest on a document. It looks at the days on which maintenance counted
 * some, and at those that it has not counted yet, so that a document without answers costs two days.
 */
export async function findDocumentAnswers(
  database: Kysely<Tables>,
  { workspaceId, documentId }: { readonly workspaceId: string; readonly documentId: string },
  { now, most }: { readonly now: Date; readonly most: number },
): Promise<readonly DocumentAnswer[]> {
  const today = dayOf(now);
  const counted = await database
    .selectFrom('document_day')
    .select(sql<string>`to_char(day, 'YYYY-MM-DD')`.as('day'))
    .where('document_id', '=', documentId)
    .where(sql<boolean>`day >= ${dayOf(new Date(now.getTime() - (DAYS - 1) * dayMs))}::date`)
    .execute();
  const yesterday = dayOf(new Date(now.getTime() - dayMs));
  const days = [...new Set([today, yesterday, ...counted.map(({ day }) => day)])].toSorted().toReversed();
  const answers: DocumentAnswer[] = [];
  for (const day of days) {
    const place = { workspaceId, documentId, day };
    answers.push(...(await findOfDay(database, place, most - answers.length)));
    if (answers.length >= most) break;
  }
  return answers;
}

async function findOfDay(
  database: Kysely<Tables>,
  { workspaceId, documentId, day }: Readonly<Record<'workspaceId' | 'documentId' | 'day', string>>,
  most: number,
): Promise<readonly DocumentAnswer[]> {
  const [from, to] = [new Date(Date.parse(day)), new Date(Date.parse(day) + dayMs)];
  const { rows } = await sql<DocumentAnswer>`
    select
      message.id as "messageId", message.conversation_id as "conversationId", message.created_at as at,
      message.confidence, message.feedback, coalesce(asked.content, '') as question,
      array(
        select source ->> 'chunk' from jsonb_array_elements(message.sources) as source
        where source ->> 'documentId' = ${documentId}
      ) as passages
    from message
    left join lateral (
      select content from message as earlier
      where earlier.conversation_id = message.conversation_id and earlier.role = 'user'
        and earlier.position < message.position and earlier.deleted_at is null
      order by earlier.position desc limit 1
    ) as asked on true
    where message.confidence in ('high', 'medium') and message.workspace_id = ${workspaceId}
      and message.created_at >= ${from} and message.created_at < ${to}
      and message.sources @> ${JSON.stringify([{ documentId }])}::jsonb
    order by message.created_at desc, message.id desc
    limit ${most}
  `.execute(database);
  return rows;
}

function dayOf(at: Date): string {
  return at.toISOString().slice(0, 10);
}
