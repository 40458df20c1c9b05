import type { Kysely, Transaction } from 'kysely';
import type { Clock } from '../base/clock.ts';
import { namedActor } from '../contract/actor.ts';
import type { Companion, CompanionKind } from '../storage/companion.ts';
import { MicroBatcher } from '../storage/micro-batcher.ts';
import type { Tables } from '../storage/tables/tables.ts';
import { findQueuedDeliveries, type ScheduleDeliveries } from '../webhooks/event-transaction.ts';
import { applySkillEffects } from './apply-effects.ts';
import {
  type ConversationMemory,
  type ConversationRequest,
  loadConversationMemory,
  overheardSummary,
} from './conversation-memory.ts';
import { writeNote } from './messages/notes.ts';
import {
  type PendingTurn,
  type StoredTurnRow,
  type StoreTurnResult,
  storeTurn,
  storeTurns,
} from './messages/store-turns.ts';
import type { StoredTurn, Turn } from './messages/turn.ts';
import type { ScheduleSummary } from './summary-schedule.ts';

interface Dependencies {
  readonly database: Kysely<Tables>;
  readonly clock: Clock;
  readonly scheduleDeliveries?: ScheduleDeliveries;
  /** Absent if no worker writes summaries. */
  readonly wakeSummary?: ScheduleSummary | undefined;
}

/** Loads the memory of conversations and stores turns. */
export class Conversations {
  readonly #dependencies: Dependencies;
  readonly #batches: TurnBatcher;

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies;
    this.#batches = new TurnBatcher(dependencies.database);
  }

  /** Throws `conversation_not_found` if the caller may not access the conversation. */
  loadMemory(request: ConversationRequest): Promise<ConversationMemory> {
    return loadConversationMemory(this.#dependencies.database, request);
  }

  /**
   * Stores a question, its answer and the companion that `beside` returns in one transaction; creates the conversation if
   * `conversationId` is null. Throws `conversation_not_found`, and the companion's errors.
   */
  async storeTurn(turn: Turn, beside?: (stored: StoredTurn) => Companion): Promise<StoredTurn> {
    const { scheduleDeliveries, wakeSummary } = this.#dependencies;
    const { stored, queuedDeliveries, span } = await this.#store(turn, beside);
    scheduleDeliveries?.(queuedDeliveries);
    wakeSummary?.(stored.conversationId, span);
    return stored;
  }

  async #store(
    turn: Turn,
    beside: ((stored: StoredTurn) => Companion) | undefined,
  ): Promise<StoreTurnResult> {
    const { database, clock } = this.#dependencies;
    const now = clock.now();
    const { effects, awaited, overheard = [] } = turn;
    const isPlain = effects.length === 0 && awaited === undefined && overheard.length === 0;
    const inBatch = (pending: PendingTurn) => this.#batches.store(pending);
    if (isPlain) return storeTurn(turn, { now, beside, store: inBatch });
    return database.transaction().execute(async (transaction) => {
      const alone = async (pending: PendingTurn) =>
        (await storeTurns(transaction, { kind: pending.companion?.kind, turns: [pending] }))[0];
      const kept = await storeTurn(turn, { now, beside, store: alone });
      await applySkillEffects(transaction, { ...turn, ...kept.stored }, now);
      await storeThreadContext(transaction, { ...turn, ...kept.stored }, now);
      return { ...kept, queuedDeliveries: await findQueuedDeliveries(transaction) };
    });
  }
}

/** The author in notes and in the audit log. */
const systemActor = namedActor('system');

/** Stores the messages before the conversation: as a note for agents, and as the summary that later answers use. */
async function storeThreadContext(
  transaction: Transaction<Tables>,
  {
    workspaceId,
    conversationId: id,
    overheard = [],
  }: Pick<Turn, 'workspaceId' | 'overheard'> & Pick<StoredTurn, 'conversationId'>,
  now: Date,
): Promise<void> {
  if (overheard.length === 0) return;
  const lines = overheard.map(({ author, text }) => `${author}: ${text}`);
  const content = ['Messages before the first question:', ...lines].join('\n');
  await writeNote(
    transaction,
    { id, workspaceId, actor: systemActor, at: now },
    { content, authorEmail: undefined },
  );
  await transaction
    .updateTable('conversation')
    .set({ summary: overheardSummary(overheard) })
    .where('id', '=', id)
    .where('workspace_id', '=', workspaceId)
    .execute();
}

/**
 * Batches turns that are stored concurrently into one statement. Each commit waits for the disk, so fifty separate
 * commits would wait for each other and for the lock on the owner's message count.
 */
class TurnBatcher {
  readonly #batcher: MicroBatcher<CompanionKind | undefined, PendingTurn, StoredTurnRow | undefined>;

  constructor(database: Kysely<Tables>) {
    this.#batcher = new MicroBatcher({
      nameOf: (kind) => kind?.name ?? '',
      run: async (kind, turns) => {
        const rows = await storeTurns(database, { kind, turns });
        const byMessage = new Map(rows.map((row) => [row.message_id, row]));
        // Webhook deliveries are queued for the whole batch and reported once, with the first turn.
        const told = rows.at(-1)?.told ?? [];
        return ({ row }, index) => {
          const stored = byMessage.get(row.answer_id);
          return stored && { ...stored, told: index === 0 ? told : [] };
        };
      },
      thenAlone: 'at once',
      gathers: true,
      most: (kind) => kind?.most ?? Number.POSITIVE_INFINITY,
    });
  }

  /** Resolves when the turn is committed; with undefined if its conversation does not exist. */
  store(turn: PendingTurn): Promise<StoredTurnRow | undefined> {
    return this.#batcher.add(turn.companion?.kind, turn);
  }
}
