import { type Expression, type RawBuilder, sql } from 'kysely';

/** The name of the member of the workspace's owner who has an address; null if there is none. */
function findMemberName(
  address: Expression<unknown>,
  workspaceId: Expression<unknown>,
): RawBuilder<string | null> {
  return sql`(
    select person.name from person
    join membership on membership.person_id = person.id
    join workspace on workspace.owner_id = membership.owner_id
    where person.email = lower(${address}) and workspace.id = ${workspaceId}
  )`;
}

/**
 * The name of the agent who wrote the `message` of a query. The person who was signed in is found by their id; an address that
 * the operator's token stated, or that was stored before ids were, by the members of the workspace's owner. Null if there is no
 * such person any more.
 */
export const authorName = sql<string | null>`coalesce(
  (select person.name from person where person.id = message.person_id),
  case when message.person_id is null then ${findMemberName(sql.ref('message.author'), sql.ref('message.workspace_id'))} end
)`;

/** The name of the member with an address, in a query of `conversation`. */
export function memberName(address: Expression<unknown>): RawBuilder<string | null> {
  return findMemberName(address, sql.ref('conversation.workspace_id'));
}
