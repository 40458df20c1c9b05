import type { Kysely } from 'kysely';
import type { Clock } from '../clock.ts';
import type { Page, PageRequest } from '../pagination.ts';
import type { Tables } from '../storage/tables.ts';
import type { WakeDeliveries } from '../webhooks/delivery-waker.ts';
import type { AuditRecord } from './audit-record.ts';
import { changeConversation } from './change-conversation.ts';
import type { ConversationChange, NewNote } from './change-request.ts';
import type { ConversationRecord } from './conversation-record.ts';
import { type ConversationView, conversationView } from './conversation-view.ts';
import { deleteConversation } from './delete-conversation.ts';
import { findConversation } from './find-conversation.ts';
import type { InboxUser } from './inbox-user.ts';
import { type Judgement, judgeAnswer } from './judge-answer.ts';
import { listAuditEntries } from './list-audit-entries.ts';
import { type ConversationListRequest, listConversations } from './list-conversations.ts';
import { listMessages, type MessageListRequest } from './list-messages.ts';
import type { MessageRecord } from './message-record.ts';
import type { NoteRecord } from './note-record.ts';
import { writeNote } from './write-note.ts';

interface Dependencies {
  readonly database: Kysely<Tables>;
  readonly clock: Clock;
  readonly wakeDeliveries?: WakeDeliveries;
}

/**
 * What agents do with conversations. Everything about a single one throws `conversation_not_found` where the user
 * does not reach it.
 */
export class Inbox {
  readonly #dependencies: Dependencies;

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies;
  }

  /** Latest activity first. Throws `invalid_cursor`. */
  list(request: ConversationListRequest): Promise<Page<ConversationRecord>> {
    return listConversations(this.#dependencies, request);
  }

  /** All of one moment, whatever is said meanwhile. */
  get(user: InboxUser, id: string): Promise<ConversationView> {
    const { database, clock } = this.#dependencies;
    return database
      .transaction()
      .setIsolationLevel('repeatable read')
      .execute(async (transaction) => {
        const { row, policy } = await findConversation(transaction, { user, id, lock: false });
        return conversationView(transaction, row, { policy, now: clock.now() });
      });
  }

  /** Throws `invalid_cursor`. */
  async messages(user: InboxUser, id: string, page: MessageListRequest): Promise<Page<MessageRecord>> {
    const { database } = this.#dependencies;
    await findConversation(database, { user, id, lock: false });
    return listMessages(database, id, page);
  }

  /** What the visitor thinks of an answer. Throws `message_not_found`. */
  judge(user: InboxUser, judgement: Judgement): Promise<MessageRecord> {
    return judgeAnswer(this.#dependencies, user, judgement);
  }

  addNote(user: InboxUser, id: string, note: NewNote): Promise<NoteRecord> {
    const { database, clock } = this.#dependencies;
    return database.transaction().execute(async (transaction) => {
      const { row } = await findConversation(transaction, { user, id, lock: true });
      const noted = { id, workspaceId: row.workspace_id, actor: user.name, at: clock.now() };
      return writeNote(transaction, noted, note);
    });
  }

  /** Throws `invalid_snooze_until`. */
  change(user: InboxUser, id: string, change: ConversationChange): Promise<ConversationView> {
    return changeConversation(this.#dependencies, { user, id, change });
  }

  delete(user: InboxUser, id: string): Promise<void> {
    return deleteConversation(this.#dependencies, user, id);
  }

  /** What was changed of a conversation of the workspace; also of one that is gone. Throws `invalid_cursor`. */
  auditLog(workspaceId: string, id: string, page: PageRequest): Promise<Page<AuditRecord>> {
    return listAuditEntries(this.#dependencies.database, { workspaceId, id }, page);
  }
}
