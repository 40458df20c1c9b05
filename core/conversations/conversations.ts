import type { Kysely, Transaction } from 'kysely';
import { overheardSummary } from '../answering/prompts/fences.ts';
import type { Clock } from '../clock.ts';
import type { Tables } from '../storage/tables/tables.ts';
import { findQueuedDeliveries, type ScheduleDeliveries } from '../webhooks/event-transaction.ts';
import { applySkillEffects } from './apply-effects.ts';
import {
  type ConversationMemory,
  type ConversationRequest,
  loadConversationMemory,
} from './conversation-memory.ts';
import { writeNote } from './notes.ts';
import type { PiggybackItem, PiggybackResult } from './piggyback-batch.ts';
import { type PendingTurn, type StoreTurnResult, storeTurn, storeTurns } from './store-turns.ts';
import type { ScheduleSummary } from './summary-schedule.ts';
import type { Companion, CompanionKind, StoredTurn, Turn } from './turn.ts';
import { TurnBatcher } from './turn-batches.ts';

interface Dependencies {
  readonly database: Kysely<Tables>;
  readonly clock: Clock;
  readonly wakeDeliveries?: ScheduleDeliveries;
  /** Absent where nobody summarises. */
  readonly wakeSummary?: ScheduleSummary | undefined;
}

/** Conversations and their messages. */
export class Conversations {
  readonly #dependencies: Dependencies;
  readonly #batches: TurnBatcher;

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies;
    this.#batches = new TurnBatcher(dependencies.database);
  }

  /** Throws `conversation_not_found` where the conversation is not open to who asks. */
  loadMemory(request: ConversationRequest): Promise<ConversationMemory> {
    return loadConversationMemory(this.#dependencies.database, request);
  }

  /**
   * Stores a question with its answer and what goes `beside` them, all or nothing; makes the conversation when there is
   * none yet. Throws `conversation_not_found`, and what goes wrong beside.
   */
  async storeTurn(turn: Turn, beside?: (stored: StoredTurn) => Companion): Promise<StoredTurn> {
    const { wakeDeliveries, wakeSummary } = this.#dependencies;
    const { stored, told, span } = await this.#store(turn, beside);
    wakeDeliveries?.(told);
    wakeSummary?.(stored.conversationId, span);
    return stored;
  }

  /** Notes it with turns of the kind, if such are being stored; null where it has to be noted by itself. */
  addToNextBatch(kind: CompanionKind, rider: PiggybackItem): Promise<PiggybackResult | null> {
    return this.#batches.addToNextBatch(kind, rider);
  }

  async #store(
    turn: Turn,
    beside: ((stored: StoredTurn) => Companion) | undefined,
  ): Promise<StoreTurnResult> {
    const { database, clock } = this.#dependencies;
    const now = clock.now();
    const { effects, awaited, overheard = [] } = turn;
    const isPlain = effects.length === 0 && awaited === undefined && overheard.length === 0;
    const together = (pending: PendingTurn) => this.#batches.store(pending);
    if (isPlain) return storeTurn(turn, { now, beside, store: together });
    return database.transaction().execute(async (transaction) => {
      const alone = async (pending: PendingTurn) =>
        (await storeTurns(transaction, { kind: pending.companion?.kind, turns: [pending] })).kept[0];
      const kept = await storeTurn(turn, { now, beside, store: alone });
      await applySkillEffects(transaction, { ...turn, ...kept.stored }, now);
      await storeThreadContext(transaction, { ...turn, ...kept.stored }, now);
      return { ...kept, told: await findQueuedDeliveries(transaction) };
    });
  }
}

/** In the notes and the audit log. */
const author = 'system';

/** Keeps what others said before: as a note for people, and as what later answers recall of the beginning. */
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
  const said = overheard.map((one) => `${one.author}: ${one.text}`);
  const content = ['Said here before the first question:', ...said].join('\n');
  await writeNote(
    transaction,
    { id, workspaceId, actor: author, at: now },
    { content, authorEmail: undefined },
  );
  await transaction
    .updateTable('conversation')
    .set({ summary: overheardSummary(overheard) })
    .where('id', '=', id)
    .where('workspace_id', '=', workspaceId)
    .execute();
}
