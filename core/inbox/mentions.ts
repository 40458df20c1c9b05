import { type Kysely, sql, type Transaction } from 'kysely';
import type { Clock } from '../base/clock.ts';
import type { Tables } from '../storage/tables/tables.ts';
import { handleOf, type InboxRow } from './list.ts';

/** A note that names a person. */
export interface Mention {
  readonly noteId: string;
  readonly conversationId: string;
  readonly channel: InboxRow['channel'];
  /** The handle of the customer; null for an anonymous visitor. */
  readonly handle: string | null;
  readonly author: string;
  readonly content: string;
  readonly at: Date;
  readonly readAt: Date | null;
}

interface MentioningNote {
  readonly noteId: string;
  readonly conversationId: string;
  readonly workspaceId: string;
  /** The author of the note, who is not notified. */
  readonly personId: string | null;
  readonly at: Date;
}

/** Stores the people whom a note names, and notifies the new ones. It runs in the transaction of the note. */
export async function storeMentions(
  transaction: Transaction<Tables>,
  { noteId, conversationId, workspaceId, personId, at }: MentioningNote,
  mentions: readonly string[],
): Promise<void> {
  const people = [...new Set(mentions)].filter((id) => id !== personId);
  const dropped = await transaction
    .deleteFrom('mention')
    .where('note_id', '=', noteId)
    .where('workspace_id', '=', workspaceId)
    .$if(people.length > 0, (query) => query.where('person_id', 'not in', people))
    .returning('person_id')
    .execute();
  const added =
    people.length === 0
      ? []
      : await transaction
          .insertInto('mention')
          .values(
            people.map((id) => ({
              ...{ note_id: noteId, person_id: id, workspace_id: workspaceId },
              created_at: at,
            })),
          )
          .onConflict((conflict) => conflict.doNothing())
          .returning('person_id')
          .execute();
  for (const { person_id: id } of [...dropped, ...added]) {
    await tellPerson(transaction, id, { workspaceId, conversationId });
  }
}

/** Notifies the open dashboards of a person that their mentions changed. */
async function tellPerson(
  database: Kysely<Tables>,
  personId: string,
  { workspaceId, conversationId }: Pick<MentioningNote, 'workspaceId' | 'conversationId'>,
): Promise<void> {
  const notice = `${personId} mention ${conversationId} ${workspaceId}`;
  await sql`select pg_notify('agent_news', ${notice})`.execute(database);
}

interface Reader {
  readonly workspaceId: string;
  readonly personId: string;
}

const MAX_LISTED = 30;
/** The number of characters of a note in the list. */
const MAX_EXCERPT = 200;

interface Mentions {
  /** The latest 30. */
  readonly items: readonly Mention[];
  /** Counted among them. */
  readonly unread: number;
}

/** Returns the latest mentions of a person in a workspace, newest first. */
export async function listMentions(
  database: Kysely<Tables>,
  { workspaceId, personId }: Reader,
): Promise<Mentions> {
  const rows = await database
    .selectFrom('mention')
    .innerJoin('note', 'note.id', 'mention.note_id')
    .innerJoin('conversation', 'conversation.id', 'note.conversation_id')
    .leftJoin('person', 'person.id', 'note.person_id')
    .select([
      'mention.note_id',
      'mention.created_at',
      'mention.read_at',
      'note.conversation_id',
      'note.author',
      'person.name as author_name',
      sql<string>`left(note.content, ${MAX_EXCERPT})`.as('content'),
      'conversation.channel',
      'conversation.session_id',
      'conversation.customer_name',
      'conversation.customer_email',
      'conversation.customer_phone',
    ])
    .where('mention.workspace_id', '=', workspaceId)
    .where('mention.person_id', '=', personId)
    .orderBy('mention.created_at', 'desc')
    .orderBy('mention.note_id', 'desc')
    .limit(MAX_LISTED)
    .execute();
  const items = rows.map((row) => ({
    noteId: row.note_id,
    conversationId: row.conversation_id,
    channel: row.channel,
    handle: handleOf(row),
    author: row.author_name ?? row.author,
    content: row.content,
    at: row.created_at,
    readAt: row.read_at,
  }));
  return { items, unread: items.filter(({ readAt }) => readAt === null).length };
}

interface ReadRequest extends Reader {
  /** Only the mentions in this conversation; absent: all. */
  readonly conversationId: string | undefined;
}

/** Marks mentions as read, and notifies the other tabs and devices of the person. */
export async function readMentions(
  { database, clock }: { readonly database: Kysely<Tables>; readonly clock: Clock },
  { workspaceId, personId, conversationId }: ReadRequest,
): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    const read = await transaction
      .updateTable('mention')
      .set({ read_at: clock.now() })
      .where('workspace_id', '=', workspaceId)
      .where('person_id', '=', personId)
      .where('read_at', 'is', null)
      .$if(conversationId !== undefined, (query) =>
        query.where('note_id', 'in', (notes) =>
          notes
            .selectFrom('note')
            .select('note.id')
            .where('note.workspace_id', '=', workspaceId)
            .where('note.conversation_id', '=', conversationId ?? ''),
        ),
      )
      .returning('note_id')
      .execute();
    if (read.length === 0) return;
    await tellPerson(transaction, personId, { workspaceId, conversationId: conversationId ?? '-' });
  });
}
