import { type Kysely, sql } from 'kysely';
import { humanSkill } from '../../contract/skill.ts';
import type { Tables } from '../../storage/tables/tables.ts';
import type { JudgedAnswer } from './fit-correction.ts';

const PERIOD_DAYS = 90;
const dayMs = 24 * 3_600_000;
/** The latest of each kind. More of them tell nothing new about two numbers. */
const MOST = 5_000;

interface Row {
  readonly visitor: string;
  readonly answer: string;
  readonly probability: number;
  readonly helped: boolean;
  readonly at: Date;
}

/**
 * Returns the answers of the last 90 days that quote documents and that their visitor judged: by a rating, *That helped*, or
 * a wish for a person in their next message, which says that the answer did not help unless they rated it. The stored
 * decision tells the probability before a correction, so answers without one are left out.
 */
export async function findJudgedAnswers(
  database: Kysely<Tables>,
  workspaceId: string,
  now: Date,
): Promise<readonly JudgedAnswer[]> {
  const since = new Date(now.getTime() - PERIOD_DAYS * dayMs);
  const { rows } = await sql<Row>`
    with rated as (
      select id from message
      where workspace_id = ${workspaceId} and feedback is not null and created_at >= ${since}
      order by feedback_at desc limit ${MOST}
    ), asked as (
      select distinct conversation_id from (
        select conversation_id from audit_entry
        where workspace_id = ${workspaceId} and at >= ${since} and actor = ${humanSkill}
          and action = 'status_changed' and conversation_id is not null
        order by at desc limit ${MOST}
      ) as latest
    ), handed_over as (
      select answer.id from asked
      join message as answer on answer.conversation_id = asked.conversation_id and answer.workspace_id = ${workspaceId}
      join message as next on next.conversation_id = answer.conversation_id and next.position between answer.position + 1 and answer.position + 3
      where answer.feedback is null and answer.role = 'assistant' and next.role = 'assistant'
        and next.skills_fired @> array[${humanSkill}]
    )
    select coalesce('user ' || conversation.customer_user_id, conversation.session_id, conversation.id) as visitor,
           md5(message.content) as answer,
           coalesce((message.decision -> 'correction' ->> 'probability')::float8, message.probability::float8) as probability,
           coalesce(message.feedback = 'up', false) as helped,
           coalesce(message.feedback_at, message.created_at) as at
    from message join conversation on conversation.id = message.conversation_id
    where message.id in (select id from rated union select id from handed_over)
      and message.workspace_id = ${workspaceId} and conversation.workspace_id = ${workspaceId}
      and message.created_at >= ${since} and message.role = 'assistant' and message.quoted
      and message.ended is null and message.probability > 0 and message.decision is not null
  `.execute(database);
  return rows;
}
