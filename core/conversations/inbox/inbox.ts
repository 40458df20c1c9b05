import { type Kysely, type Selectable, sql } from 'kysely';
import { z } from 'zod';
import { type AuditEntry, listAuditEntries } from '../../audit/audit-log.ts';
import type { Clock } from '../../base/clock.ts';
import { AppError } from '../../base/errors.ts';
import { cutPage, type Page, type PageRequest, readCursor, writeCursor } from '../../base/pagination.ts';
import type { Tables } from '../../storage/tables/tables.ts';
import { eventTransaction, type ScheduleDeliveries } from '../../webhooks/event-transaction.ts';
import type { Workspace } from '../../workspaces/workspaces.ts';
import { changeRow } from '../change-row.ts';
import type { KeyFilters } from '../list/filters.ts';
import { listConversations } from '../list/list-conversations.ts';
import { snapshotOrder } from '../list/snapshot-order.ts';
import { messageDisclosure } from '../messages/decisions.ts';
import { type GivenFeedback, storeFeedback } from '../messages/feedback.ts';
import { type MessageRecord, messageColumns, messageFromRow, messageParts } from '../messages/messages.ts';
import { type NoteRecord, writeNote } from '../messages/notes.ts';
import type { ConversationChange, NewNote } from '../plan-change.ts';
import { deleteConversation } from '../purge-conversations.ts';
import {
  type ConversationRecord,
  type ConversationView,
  conversationFromRow,
  loadConversationView,
} from './conversation-record.ts';
import { findConversation, type InboxUser, toActor } from './find-conversation.ts';

interface Dependencies {
  readonly database: Kysely<Tables>;
  readonly clock: Clock;
  readonly scheduleDeliveries?: ScheduleDeliveries;
}

interface ListRequest {
  readonly workspace: Pick<Workspace, 'id' | 'settings'>;
  readonly filters: KeyFilters;
  readonly page: PageRequest;
}

/**
 * The operations of agents on conversations. Every operation on a single conversation throws `conversation_not_found` if
 * the caller may not access it.
 */
export class Inbox {
  readonly #dependencies: Dependencies;

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Returns conversations of a workspace, latest activity first. Every page is in the order of the first one. Throws
   * `invalid_cursor`.
   */
  async list({ workspace, ...request }: ListRequest): Promise<Page<ConversationRecord>> {
    const { database, clock } = this.#dependencies;
    const now = clock.now();
    const policy = workspace.settings.sla;
    const reader = { workspaceId: workspace.id, personId: null, isInInbox: false, policy, now, today: now };
    const shown = { columns: sql<Selectable<Tables['conversation']>>`conversation.*`, joins: sql`` };
    const list = { ...request, order: snapshotOrder(now), shown };
    const { items, nextCursor } = await listConversations(database, reader, list);
    return { items: items.map((row) => conversationFromRow(row, policy, now)), nextCursor };
  }

  /** Returns the conversation as of one moment (a repeatable-read snapshot). */
  get(user: InboxUser, id: string): Promise<ConversationView> {
    const { database, clock } = this.#dependencies;
    return database
      .transaction()
      .setIsolationLevel('repeatable read')
      .execute(async (transaction) => {
        const { row, policy } = await findConversation(transaction, { user, id, lock: false });
        return loadConversationView(transaction, row, { policy, now: clock.now() });
      });
  }

  /** Returns a page of messages. Throws `invalid_cursor`. */
  async messages(user: InboxUser, id: string, page: MessageListRequest): Promise<Page<MessageRecord>> {
    const { database } = this.#dependencies;
    await findConversation(database, { user, id, lock: false });
    return listMessages(database, id, page);
  }

  /** Stores the visitor's rating of an answer. Throws `message_not_found`. */
  judge(user: InboxUser, judgement: FeedbackSubmission): Promise<MessageRecord> {
    return submitFeedback(this.#dependencies, user, judgement);
  }

  addNote(user: InboxUser, id: string, note: NewNote): Promise<NoteRecord> {
    const { database, clock } = this.#dependencies;
    return database.transaction().execute(async (transaction) => {
      const { row } = await findConversation(transaction, { user, id, lock: true });
      const target = { id, workspaceId: row.workspace_id, actor: toActor(user), at: clock.now() };
      return writeNote(transaction, target, note);
    });
  }

  /** Applies a change. Throws `invalid_snooze_until`. */
  change(user: InboxUser, id: string, change: ConversationChange): Promise<ConversationView> {
    return changeConversation(this.#dependencies, { user, id, change });
  }

  /** Deletes a conversation with its messages and notes; the audit log stays. Throws `conversation_not_found`. */
  delete(user: InboxUser, id: string): Promise<void> {
    const { database, clock } = this.#dependencies;
    return database.transaction().execute(async (transaction) => {
      const { row } = await findConversation(transaction, { user, id, lock: true });
      const target = { id, workspaceId: row.workspace_id, actor: toActor(user), at: clock.now() };
      await deleteConversation(transaction, target);
    });
  }

  /** Returns the changes of a conversation in the workspace, also of a deleted one. Throws `invalid_cursor`. */
  auditLog(workspaceId: string, id: string, page: PageRequest): Promise<Page<AuditEntry>> {
    return listAuditEntries(this.#dependencies.database, { workspaceId, id }, page);
  }
}

interface MessageListRequest extends PageRequest {
  /** `asc` returns the oldest first. */
  readonly order: 'asc' | 'desc';
}

const positionSchema = z.int().nonnegative();

/** Returns a page of a conversation's messages. Throws `invalid_cursor`. */
async function listMessages(
  database: Kysely<Tables>,
  conversationId: string,
  { limit, cursor, order }: MessageListRequest,
): Promise<Page<MessageRecord>> {
  const list = `messages ${conversationId} ${order}`;
  let query = database
    .selectFrom('message')
    .select(messageColumns)
    .select([messageParts, messageDisclosure])
    .where('conversation_id', '=', conversationId)
    .orderBy('position', order)
    .limit(limit + 1);
  if (cursor !== undefined) {
    const position = readCursor(list, cursor, positionSchema);
    query = query.where('position', order === 'asc' ? '>' : '<', position);
  }
  const rows = await query.execute();
  const { items, nextCursor } = cutPage(rows, limit, (row) => writeCursor(list, row.position));
  return { items: items.map(messageFromRow), nextCursor };
}

interface FeedbackStores {
  readonly database: Kysely<Tables>;
  readonly clock: Clock;
  readonly scheduleDeliveries?: ScheduleDeliveries;
}

/** A visitor's rating of an answer, submitted by the integrator. */
type FeedbackSubmission = Omit<GivenFeedback, 'workspaceId' | 'now'>;

/** Throws `conversation_not_found` and `message_not_found`. */
function submitFeedback(
  stores: FeedbackStores,
  user: InboxUser,
  judgement: FeedbackSubmission,
): Promise<MessageRecord> {
  return eventTransaction(stores, async (transaction) => {
    const { row } = await findConversation(transaction, { user, id: judgement.conversationId, lock: false });
    const feedback = { ...judgement, workspaceId: row.workspace_id, now: stores.clock.now() };
    const message = await storeFeedback(transaction, feedback);
    if (message === null) throw new AppError('message_not_found');
    return message;
  });
}

interface Stores {
  readonly database: Kysely<Tables>;
  readonly clock: Clock;
  readonly scheduleDeliveries?: ScheduleDeliveries;
}

interface ChangeRequest {
  readonly user: InboxUser;
  readonly id: string;
  readonly change: ConversationChange;
}

/** Throws `conversation_not_found` and `invalid_snooze_until`; in both cases nothing is changed. */
function changeConversation(stores: Stores, { user, id, change }: ChangeRequest): Promise<ConversationView> {
  return eventTransaction(stores, async (transaction) => {
    const { row, policy } = await findConversation(transaction, { user, id, lock: true });
    const now = stores.clock.now();
    const { columns } = await changeRow(transaction, row, { change, actor: toActor(user), now });
    const target = { id, workspaceId: row.workspace_id, actor: toActor(user), at: now };
    for (const note of change.notes ?? []) await writeNote(transaction, target, note);
    return loadConversationView(transaction, { ...row, ...columns }, { policy, now });
  });
}
