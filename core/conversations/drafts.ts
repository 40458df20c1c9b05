import { type Kysely, type Selectable, sql, type Transaction } from 'kysely';
import { z } from 'zod';
import { requireConversation } from '../audit/audit-log.ts';
import type { Clock } from '../base/clock.ts';
import { AppError } from '../base/errors.ts';
import { conversationStatuses, priorities } from '../contract/conversation-values.ts';
import type { Tables } from '../storage/tables/tables.ts';

/** The actions of snippets, which run with the reply. */
export const draftActionsSchema = z
  .object({
    tags: z.array(z.string().max(64)).max(50),
    priority: z.enum(priorities),
    status: z.enum(conversationStatuses),
    snooze_until: z.iso.datetime(),
    assignee_id: z.string().max(100).nullable(),
  })
  .partial();

type DraftActions = z.output<typeof draftActionsSchema>;

/** A text that a person has not sent yet. They have one draft of a reply and one of a note in each conversation. */
export interface InboxDraft {
  readonly kind: DraftKind;
  readonly content: string;
  readonly actions: DraftActions | null;
  /** Its version: each save moves it. */
  readonly updatedAt: Date;
  /** The text from another device, which did not know this version. */
  readonly other: OtherText | null;
}

type DraftKind = 'reply' | 'note';

interface OtherText {
  readonly content: string;
  readonly actions: DraftActions | null;
  readonly savedAt: Date;
}

const kindSchema = z.enum(['reply', 'note']);
const otherSchema = z.object({
  content: z.string(),
  actions: draftActionsSchema.nullable(),
  saved_at: z.coerce.date(),
});

function draftFromRow(row: Omit<Selectable<Tables['conversation_draft']>, 'person_id'>): InboxDraft {
  const other = row.other === null ? null : otherSchema.parse(row.other);
  return {
    kind: kindSchema.parse(row.kind),
    content: row.content,
    actions: row.actions === null ? null : draftActionsSchema.parse(row.actions),
    updatedAt: row.updated_at,
    other: other && { content: other.content, actions: other.actions, savedAt: other.saved_at },
  };
}

interface Person {
  readonly workspaceId: string;
  readonly personId: string;
}

/** Returns the drafts of a person in a conversation. */
export async function readDrafts(
  database: Kysely<Tables>,
  { personId }: Person,
  conversationId: string,
): Promise<readonly InboxDraft[]> {
  const rows = await database
    .selectFrom('conversation_draft')
    .selectAll()
    .where('person_id', '=', personId)
    .where('conversation_id', '=', conversationId)
    .orderBy('updated_at', 'desc')
    .execute();
  return rows.map(draftFromRow);
}

interface TextToSave {
  readonly content: string;
  readonly actions: DraftActions | null;
}

interface DraftToSave extends TextToSave {
  readonly kind: DraftKind;
  /** The version on which the text is based: null for none. Absent: it replaces any. */
  readonly base?: Date | null | undefined;
  /** The text to keep beside it: null for none. Absent: the stored one stays. */
  readonly other?: TextToSave | null | undefined;
  /** The time of the other text that this save replaces. One of another time stays, below the new one. */
  readonly otherSavedAt?: Date | undefined;
}

interface SavedDraft {
  /** Whether the text was stored as the draft. Otherwise it is stored as the other text. */
  readonly isSaved: boolean;
  readonly draft: InboxDraft;
}

/**
 * Stores a draft unless it has moved on from its base. The person's sessions are told. Null, and nothing is stored, if the
 * save comes after its text was sent. Throws `conversation_not_found`.
 */
export async function saveDraft(
  { database, clock }: { readonly database: Kysely<Tables>; readonly clock: Clock },
  person: Person,
  id: string,
  draft: DraftToSave,
): Promise<SavedDraft | null> {
  const { workspaceId, personId } = person;
  const now = clock.now();
  return database.transaction().execute(async (transaction) => {
    // Storing a reply locks the row, so that its message is visible afterwards.
    const found = await transaction
      .selectFrom('conversation')
      .select('id')
      .where('workspace_id', '=', workspaceId)
      .where('id', '=', id)
      .forKeyShare()
      .executeTakeFirst();
    if (found === undefined) throw new AppError('conversation_not_found');
    const key = { ...person, conversationId: id, kind: draft.kind };
    if (await wasJustSent(transaction, key, { ...draft, now })) return null;
    const row = await upsertDraft(transaction, key, { ...draft, now });
    await tellDraft(transaction, { workspaceId, personId, id, change: row.is_new ? 'new' : 'changed' });
    return { isSaved: row.content === draft.content, draft: draftFromRow(row) };
  });
}

/**
 * Whether the person has just sent the text, or one that begins with it: its save was late. The same words a while
 * later are a new draft.
 */
async function wasJustSent(
  transaction: Transaction<Tables>,
  { workspaceId, personId, conversationId, kind }: DraftKey,
  { content, base, other, now }: DraftToSave & { readonly now: Date },
): Promise<boolean> {
  const text = content.trim();
  // The other text was not sent.
  if (base === undefined || text === '' || (other ?? null) !== null) return false;
  const isSent = sql`
    conversation_id = ${conversationId} and workspace_id = ${workspaceId} and person_id = ${personId}
    and starts_with(ltrim(content, ${blanks}), ${text})
    and created_at > least(${now}::timestamptz, statement_timestamp())
      - case when trim(${blanks} from content) = ${text} then interval '1 day' else interval '1 minute' end`;
  const sent =
    kind === 'note' ? sql`from note where ${isSent}` : sql`from message where role = 'agent' and ${isSent}`;
  const { rows } = await sql`
    select 1 as sent where exists (select ${sent}) and not exists (
      select from conversation_draft
      where person_id = ${personId} and conversation_id = ${conversationId} and kind = ${kind}
        and updated_at = ${base}::timestamptz
    )
  `.execute(transaction);
  return rows.length > 0;
}

const blanks = ' \t\r\n';

async function upsertDraft(
  transaction: Transaction<Tables>,
  { personId, conversationId: id, kind }: DraftKey,
  { content, actions, base, other, otherSavedAt, now }: DraftToSave & { readonly now: Date },
): Promise<Selectable<Tables['conversation_draft']> & { readonly is_new: boolean }> {
  // The same text again is the same save, whose answer was lost.
  const fits =
    base === undefined
      ? sql`true`
      : sql`(draft.updated_at is not distinct from ${base}::timestamptz or draft.content = excluded.content)`;
  const besides = other === undefined || other === null ? other : { ...other, saved_at: now };
  const left = { actions, saved_at: now, content: other ? `${content}\n\n${other.content}` : content };
  // This device may not replace a third text, or a newer one that it has not seen.
  const seen = otherSavedAt?.toISOString() ?? null;
  const beside = sql`case when ${fits} then excluded.other else ${JSON.stringify(left)}::jsonb end`;
  const isReplaced = sql`(draft.other is null or draft.other->>'saved_at' = ${seen}
    or (${seen}::text is null and ${fits})
    or position(trim(draft.other->>'content') in concat_ws(' ', excluded.content, (${beside})->>'content')) > 0)`;
  const { rows } = await sql<Selectable<Tables['conversation_draft']> & { is_new: boolean }>`
    insert into conversation_draft as draft (person_id, conversation_id, kind, content, actions, other, updated_at)
    values (
      ${personId}, ${id}, ${kind}, ${content}, ${toJson(actions)}::jsonb, ${toJson(besides ?? null)}::jsonb, ${now}
    )
    on conflict (person_id, conversation_id, kind) do update set
      content = case when ${fits} then excluded.content else draft.content end,
      actions = case when ${fits} then excluded.actions else draft.actions end,
      updated_at = case when ${fits}
        then greatest(excluded.updated_at, draft.updated_at + interval '1 millisecond') else draft.updated_at end,
      other = case when ${fits} and ${besides === undefined} then draft.other
        when ${isReplaced} then ${beside}
        else draft.other || jsonb_build_object(
          'content', concat_ws(E'\n\n', (${beside})->>'content', draft.other->>'content'), 'saved_at', ${now.toISOString()}::text
        ) end
    returning draft.*, xmax = 0 as is_new
  `.execute(transaction);
  const [row] = rows;
  if (row === undefined) throw new AppError('conversation_not_found');
  return row;
}

const toJson = (value: object | null) => (value === null ? null : JSON.stringify(value));

interface DraftToDelete {
  /** Absent: both. */
  readonly kind?: DraftKind | undefined;
  /** The version that the person has emptied. Absent: any. */
  readonly base?: Date | undefined;
}

/**
 * Deletes a draft unless it has moved on from its base; the text of another device takes its place. Returns the draft that has
 * moved on, or null. Throws `conversation_not_found`.
 */
export async function deleteDraft(
  { database, clock }: { readonly database: Kysely<Tables>; readonly clock: Clock },
  { workspaceId, personId }: Person,
  id: string,
  { kind, base }: DraftToDelete,
): Promise<InboxDraft | null> {
  await requireConversation(database, { workspaceId, id });
  return database.transaction().execute(async (transaction) => {
    const found = await transaction
      .selectFrom('conversation_draft')
      .selectAll()
      .where('person_id', '=', personId)
      .where('conversation_id', '=', id)
      .$if(kind !== undefined, (query) => query.where('kind', '=', kind ?? ''))
      .forUpdate()
      .execute();
    for (const row of found) {
      const draft = draftFromRow(row);
      if (base !== undefined && base.getTime() !== draft.updatedAt.getTime()) return draft;
      const key = { workspaceId, personId, conversationId: id, kind: draft.kind };
      if (base === undefined || draft.other === null) await removeRow(transaction, key);
      else await replaceByOther(transaction, key, { draft, other: draft.other, now: clock.now() });
    }
    return null;
  });
}

interface DraftKey extends Person {
  readonly conversationId: string;
  readonly kind: DraftKind;
}

async function removeRow(transaction: Transaction<Tables>, key: DraftKey): Promise<void> {
  const { workspaceId, personId, conversationId: id, kind } = key;
  await transaction
    .deleteFrom('conversation_draft')
    .where('person_id', '=', personId)
    .where('conversation_id', '=', id)
    .where('kind', '=', kind)
    .execute();
  await tellDraft(transaction, { workspaceId, personId, id, change: 'gone' });
}

interface Replacement {
  readonly draft: InboxDraft;
  readonly other: Pick<OtherText, 'content' | 'actions'>;
  readonly now: Date;
}

/** Keeps one of the two texts as the draft. */
async function replaceByOther(
  transaction: Transaction<Tables>,
  { workspaceId, personId, conversationId: id, kind }: DraftKey,
  { draft, other: { content, actions }, now }: Replacement,
): Promise<void> {
  const next = Math.max(now.getTime(), draft.updatedAt.getTime() + 1);
  await transaction
    .updateTable('conversation_draft')
    .set({ content, actions: toJson(actions), other: null, updated_at: new Date(next) })
    .where('person_id', '=', personId)
    .where('conversation_id', '=', id)
    .where('kind', '=', kind)
    .execute();
  await tellDraft(transaction, { workspaceId, personId, id, change: 'changed' });
}

/**
 * Deletes the drafts of a sent text: the draft, the text of another device, or the beginning of the text. An unsent
 * text stays, and becomes the draft if the other one was sent.
 */
export async function endDraft(
  transaction: Transaction<Tables>,
  { content, now, ...key }: DraftKey & { readonly content: string; readonly now: Date },
): Promise<void> {
  const row = await transaction
    .selectFrom('conversation_draft')
    .selectAll()
    .where('person_id', '=', key.personId)
    .where('conversation_id', '=', key.conversationId)
    .where('kind', '=', key.kind)
    .forUpdate()
    .executeTakeFirst();
  if (row === undefined) return;
  const draft = draftFromRow(row);
  const { other } = draft;
  const wasSent = (text: string) => content.trim().startsWith(text.trim());
  const isOtherSent = other === null || wasSent(other.content);
  if (wasSent(draft.content)) {
    if (isOtherSent) await removeRow(transaction, key);
    else await replaceByOther(transaction, key, { draft, other, now });
  } else if (other !== null && isOtherSent) {
    await replaceByOther(transaction, key, { draft, other: draft, now });
  }
}

interface DraftNotice extends Person {
  readonly id: string;
  readonly change: 'new' | 'changed' | 'gone';
}

/** Notifies the open dashboards of the person, and no others. */
async function tellDraft(
  database: Kysely<Tables>,
  { workspaceId, personId, id, change }: DraftNotice,
): Promise<void> {
  const notice = `${personId} draft ${id} ${workspaceId} ${change}`;
  await sql`select pg_notify('agent_news', ${notice})`.execute(database);
}
