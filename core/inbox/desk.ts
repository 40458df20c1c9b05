import type { Kysely, Transaction } from 'kysely';
import { writeAuditEntries } from '../audit/audit-log.ts';
import type { Clock } from '../base/clock.ts';
import { AppError } from '../base/errors.ts';
import type { Logger } from '../base/log.ts';
import type { FindAccount, OpenAccount } from '../channels/accounts/channel-account.ts';
import { wakeLaneInBackground } from '../channels/inbound/wake-lanes.ts';
import {
  askForRating,
  type RatingQuestion,
  ratingDelayMs,
  withdrawRatingQuestion,
} from '../channels/ratings.ts';
import { changeRow } from '../conversations/change-row.ts';
import { endDraft } from '../conversations/drafts.ts';
import { listAgentIds } from '../conversations/hand-over.ts';
import { toActor } from '../conversations/inbox/find-conversation.ts';
import { removeNote, updateNote, writeNote } from '../conversations/messages/notes.ts';
import type { ConversationChange } from '../conversations/plan-change.ts';
import { storeSeen } from '../conversations/seen.ts';
import type { JobQueue } from '../queue/queue.ts';
import type { Tables } from '../storage/tables/tables.ts';
import { eventTransaction, type ScheduleDeliveries } from '../webhooks/event-transaction.ts';
import { storeMentions } from './mentions.ts';
import { type TimelineNote, timelineNoteFromRow } from './read.ts';

interface Stores {
  readonly database: Kysely<Tables>;
  readonly clock: Clock;
  readonly scheduleDeliveries?: ScheduleDeliveries;
}

/** The stores that send visitors a message after a change of their conversation. */
export interface ChangeStores extends Stores {
  readonly findAccount: FindAccount;
  readonly queue: Pick<JobQueue, 'add'>;
  readonly log: Pick<Logger, 'warn'>;
}

/** The person, key or operator who works in an inbox. */
export interface InboxActor {
  readonly workspaceId: string;
  readonly ownerId: string;
  /** The name for the audit log. */
  readonly name: string;
  /** Null for the operator. */
  readonly personId: string | null;
}

/** Changes a conversation. Throws `conversation_not_found`, `invalid_snooze_until` and `invalid_assignee_id`. */
export async function changeConversation(
  stores: ChangeStores,
  actor: InboxActor,
  id: string,
  change: ConversationChange,
): Promise<void> {
  const { workspaceId, personId } = actor;
  await requireAssignable(stores.database, actor, change.assigneeId);
  // The accounts are opened before the transaction, which must not wait for another connection.
  const accounts = change.status === 'resolved' ? await findAccounts(stores, workspaceId, [id]) : new Map();
  const question = await eventTransaction(stores, async (transaction) => {
    const now = stores.clock.now();
    const changed = await applyChange(transaction, { actor, id, change, now });
    if (changed === null) throw new AppError('conversation_not_found');
    if (changed.after.status !== 'resolved') return null;
    const asking = { workspaceId, conversationId: id, personId, now, accounts, delayMs: ratingDelayMs };
    return askForRating(transaction, asking);
  });
  if (question !== null) wakeForQuestion(stores, question);
}

/** Returns the enabled accounts that conversations are in, by the id of the channel. */
export async function findAccounts(
  { database, findAccount }: Pick<ChangeStores, 'database' | 'findAccount'>,
  workspaceId: string,
  conversationIds: readonly string[],
): Promise<ReadonlyMap<string, OpenAccount>> {
  if (conversationIds.length === 0) return new Map();
  const rows = await database
    .selectFrom('lane')
    .select('channel_id')
    .distinct()
    .where('workspace_id', '=', workspaceId)
    .where('conversation_id', 'in', [...conversationIds])
    .execute();
  const accounts = new Map<string, OpenAccount>();
  for (const { channel_id: channelId } of rows) {
    const open = await findAccount(channelId);
    if (open !== null) accounts.set(channelId, open);
  }
  return accounts;
}

/** Wakes a worker that sends the question, after the commit. */
export function wakeForQuestion(
  stores: Pick<ChangeStores, 'queue' | 'log'>,
  { messageId, key, delayMs }: RatingQuestion,
): void {
  wakeLaneInBackground(stores, { name: 'deliver', id: messageId, key, delayMs });
}

/** Throws `invalid_assignee_id` unless the person may reply in the workspace. */
export async function requireAssignable(
  database: Kysely<Tables>,
  { workspaceId, ownerId }: Pick<InboxActor, 'workspaceId' | 'ownerId'>,
  assigneeId: string | null | undefined,
): Promise<void> {
  if (assigneeId === undefined || assigneeId === null) return;
  const agents = await listAgentIds(database, { workspaceId, ownerId });
  if (!agents.has(assigneeId)) throw new AppError('invalid_assignee_id');
}

interface AppliedChange {
  readonly actor: Pick<InboxActor, 'workspaceId' | 'name' | 'personId'>;
  readonly id: string;
  readonly change: ConversationChange | ((tags: readonly string[]) => ConversationChange);
  readonly now: Date;
}

/** The columns that a change wrote, before and after it. */
export interface ChangedColumns {
  readonly before: Readonly<Record<string, unknown>>;
  readonly after: Readonly<Record<string, unknown>>;
}

/** Locks and changes a conversation, with its audit entries. Null if it does not exist. */
export async function applyChange(
  transaction: Transaction<Tables>,
  { actor, id, change: wanted, now }: AppliedChange,
): Promise<ChangedColumns | null> {
  const { workspaceId } = actor;
  const row = await transaction
    .selectFrom('conversation')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  if (row === undefined) return null;
  const change = typeof wanted === 'function' ? wanted(row.tags) : wanted;
  const { columns } = await changeRow(transaction, row, { change, actor: toActor(actor), now });
  if (row.status === 'resolved' && columns.status !== undefined)
    await withdrawRatingQuestion(transaction, { workspaceId, conversationId: id });
  const before = Object.fromEntries(Object.entries(row).filter(([column]) => column in columns));
  return { before, after: { ...columns } };
}

type Person = InboxActor & { readonly personId: string };

interface Seen {
  /** The position of the last message that the person has seen; absent: all messages. */
  readonly position?: number | undefined;
  /** Whether the mark may also move back, so that later messages are unread again. */
  readonly back: boolean;
}

/** Stores what a person has read. Returns the stored position. Throws `conversation_not_found`. */
export async function markSeen(
  { database, clock }: Stores,
  { workspaceId, personId }: Person,
  id: string,
  { position, back }: Seen,
): Promise<number> {
  const row = await database
    .selectFrom('conversation')
    .select('message_count')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .executeTakeFirst();
  if (row === undefined) throw new AppError('conversation_not_found');
  const last = row.message_count - 1;
  const seen = Math.min(position ?? last, last);
  const read = { personId, conversationId: id, position: seen, at: clock.now() };
  return storeSeen(database, { ...read, mayGoBack: back === true });
}

interface DeskNote {
  readonly content: string;
  readonly mentions: readonly string[];
}

/** Adds a note and deletes the draft that it was. Throws `conversation_not_found` and `invalid_mentions`. */
export async function addNote(
  { database, clock }: Stores,
  actor: InboxActor,
  id: string,
  { content, mentions }: DeskNote,
): Promise<TimelineNote> {
  await requireMentionable(database, actor, mentions);
  return database.transaction().execute(async (transaction) => {
    const now = clock.now();
    const target = { id, workspaceId: actor.workspaceId, actor: toActor(actor), at: now };
    if (!(await lockConversation(transaction, target))) throw new AppError('conversation_not_found');
    const note = await writeNote(transaction, target, { content });
    const written = { person_id: actor.personId, mentions: [...new Set(mentions)] };
    const row = await updateNote(transaction, { workspaceId: actor.workspaceId, id: note.id }, written);
    await storeMentions(transaction, toMentioning(target, row), mentions);
    const { workspaceId, personId } = actor;
    if (personId !== null) {
      await endDraft(transaction, { workspaceId, personId, conversationId: id, kind: 'note', content, now });
    }
    return timelineNoteFromRow(row);
  });
}

function toMentioning(
  { id, workspaceId, at }: { readonly id: string; readonly workspaceId: string; readonly at: Date },
  note: { readonly id: string; readonly person_id: string | null },
) {
  return { noteId: note.id, conversationId: id, workspaceId, personId: note.person_id, at };
}

async function requireMentionable(
  database: Kysely<Tables>,
  actor: InboxActor,
  mentions: readonly string[],
): Promise<void> {
  if (mentions.length === 0) return;
  const known = await listAgentIds(database, actor);
  if (!mentions.every((id) => known.has(id))) throw new AppError('invalid_mentions');
}

interface NoteKey {
  readonly id: string;
  readonly noteId: string;
}

/** Changes one's own note. Throws `note_not_found` and `not_your_note`. */
export async function changeNote(
  { database, clock }: Stores,
  actor: InboxActor,
  key: NoteKey,
  { content, mentions }: DeskNote,
): Promise<TimelineNote> {
  await requireMentionable(database, actor, mentions);
  const at = clock.now();
  return database.transaction().execute(async (transaction) => {
    await lockOwnNote(transaction, actor, key);
    const changed = { content, mentions: [...new Set(mentions)], edited_at: at };
    const row = await updateNote(transaction, { workspaceId: actor.workspaceId, id: key.noteId }, changed);
    const target = { id: key.id, workspaceId: actor.workspaceId, actor: toActor(actor), at };
    await writeAuditEntries(transaction, target, [
      { action: 'note_changed', details: { note_id: key.noteId } },
    ]);
    await storeMentions(transaction, toMentioning(target, row), mentions);
    return timelineNoteFromRow(row);
  });
}

/** Deletes one's own note. Throws `note_not_found` and `not_your_note`. */
export async function deleteNote(
  { database, clock }: Stores,
  actor: InboxActor,
  key: NoteKey,
): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    await lockOwnNote(transaction, actor, key);
    const named = { noteId: key.noteId, conversationId: key.id, workspaceId: actor.workspaceId };
    await storeMentions(transaction, { ...named, personId: null, at: clock.now() }, []);
    await removeNote(transaction, { workspaceId: actor.workspaceId, id: key.noteId });
    const target = { id: key.id, workspaceId: actor.workspaceId, actor: toActor(actor), at: clock.now() };
    await writeAuditEntries(transaction, target, [
      { action: 'note_deleted', details: { note_id: key.noteId } },
    ]);
  });
}

/** The operator may change every note, and a person their own. */
async function lockOwnNote(
  transaction: Transaction<Tables>,
  { workspaceId, personId }: InboxActor,
  { id, noteId }: NoteKey,
): Promise<void> {
  await lockConversation(transaction, { workspaceId, id });
  const row = await transaction
    .selectFrom('note')
    .select('person_id')
    .where('workspace_id', '=', workspaceId)
    .where('conversation_id', '=', id)
    .where('id', '=', noteId)
    .forUpdate()
    .executeTakeFirst();
  if (row === undefined) throw new AppError('note_not_found');
  if (personId !== null && row.person_id !== personId) throw new AppError('not_your_note');
}

/**
 * The audit entry of a note changes its conversation, and the deletion of a conversation takes its notes along, so both lock
 * the conversation first. Returns false if it does not exist.
 */
async function lockConversation(
  transaction: Transaction<Tables>,
  { workspaceId, id }: { readonly workspaceId: string; readonly id: string },
): Promise<boolean> {
  const row = await transaction
    .selectFrom('conversation')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  return row !== undefined;
}
