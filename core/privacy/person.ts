import { type Kysely, sql } from 'kysely';
import { digitsOf } from '../base/text.ts';
import { isVisitorChannel, visitorChannels } from '../contract/conversation-values.ts';
import { anyOf } from '../storage/prepared-statements.ts';
import type { Tables } from '../storage/tables/tables.ts';

/** The single field that a person is looked up by. */
export type PersonKey =
  | { readonly field: 'email'; readonly value: string }
  | { readonly field: 'phone'; readonly value: string }
  | { readonly field: 'user_id'; readonly value: string };

/** The records of one person. */
interface PersonRecords {
  /** Ids, oldest first. */
  readonly conversations: readonly string[];
  /** Ids of visitors of widgets and hosted pages. */
  readonly visitors: readonly string[];
}

interface Request {
  readonly workspaceId: string;
  readonly key: PersonKey;
}

/**
 * Finds the conversations and visitor records of a person. A widget visitor is one person in all their conversations: if
 * one conversation, or the visitor's own record, matches the key, all of them are found.
 */
export async function findPersonRecords(
  database: Kysely<Tables>,
  { workspaceId, key }: Request,
): Promise<PersonRecords> {
  const named = await database
    .selectFrom('conversation')
    .select(['id', 'session_id', 'channel'])
    .where('workspace_id', '=', workspaceId)
    .where(isCustomer(key))
    .execute();
  const sessions = named.flatMap(({ session_id, channel }) =>
    session_id !== null && isVisitorChannel(channel) ? [session_id] : [],
  );
  const visitors = await database
    .selectFrom('visitor')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .where(({ or, eb }) => or([isVisitor(key), eb('id', '=', anyOf([...new Set(sessions)]))]))
    .orderBy('id')
    .execute();
  const visitorIds = visitors.map(({ id }) => id);
  const conversations = await database
    .selectFrom('conversation')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .where(({ or, and, eb }) =>
      or([
        eb('id', '=', sql<string>`any(${named.map(({ id }) => id)}::text[])`),
        and([
          eb('session_id', '=', sql<string>`any(${visitorIds}::text[])`),
          eb('channel', 'in', [...visitorChannels]),
        ]),
      ]),
    )
    .orderBy('started_at')
    .orderBy('id')
    .execute();
  return { conversations: conversations.map(({ id }) => id), visitors: visitorIds };
}

/** Returns a condition on `conversation`. Phone numbers are compared by their digits, e-mail addresses ignoring case. */
function isCustomer({ field, value }: PersonKey) {
  switch (field) {
    case 'email':
      return sql<boolean>`lower(customer_email) = lower(${value})`;
    case 'phone':
      return sql<boolean>`regexp_replace(customer_phone, '[^0-9]', '', 'g') = ${digitsOf(value)}`;
    case 'user_id':
      return sql<boolean>`coalesce(customer_user_id, stated_user_id) = ${value}`;
  }
}

/** Returns a condition on `visitor`, which has no phone number. */
function isVisitor({ field, value }: PersonKey) {
  switch (field) {
    case 'email':
      return sql<boolean>`lower(visitor.email) = lower(${value})`;
    case 'phone':
      return sql<boolean>`false`;
    case 'user_id':
      return sql<boolean>`visitor.user_id = ${value}`;
  }
}
