import type { Kysely, Transaction } from 'kysely';
import { overheardSummary } from '../answering/prompts/fences.ts';
import type { Clock } from '../clock.ts';
import type { Tables } from '../storage/tables/tables.ts';
import { toldDeliveries, type WakeDeliveries } from '../webhooks/event-transaction.ts';
import { applyEffects } from './apply-effects.ts';
import {
  type ConversationMemory,
  type ConversationRequest,
  recallConversation,
} from './conversation-memory.ts';
import { writeNote } from './notes.ts';
import type { Noted, Rider } from './piggyback-batch.ts';
import { type PendingTurn, storeTurn, storeTurns, type TurnInStore } from './store-turns.ts';
import type { WakeSummary } from './summary-schedule.ts';
import type { Companion, CompanionKind, StoredTurn, Turn } from './turn.ts';
import { TurnBatches } from './turn-batches.ts';

interface Dependencies {
  readonly database: Kysely<Tables>;
  readonly clock: Clock;
  readonly wakeDeliveries?: WakeDeliveries;
  /** Absent where nobody summarises. */
  readonly wakeSummary?: WakeSummary | undefined;
}

/** Conversations and their messages. */
export class Conversations {
  readonly #dependencies: Dependencies;
  readonly #batches: TurnBatches;

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies;
    this.#batches = new TurnBatches(dependencies.database);
  }

  /** Throws `conversation_not_found` where the conversation is not open to who asks. */
  recall(request: ConversationRequest): Promise<ConversationMemory> {
    return recallConversation(this.#dependencies.database, request);
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
  ride(kind: CompanionKind, rider: Rider): Promise<Noted | null> {
    return this.#batches.ride(kind, rider);
  }

  async #store(turn: Turn, beside: ((stored: StoredTurn) => Companion) | undefined): Promise<TurnInStore> {
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
      await applyEffects(transaction, { ...turn, ...kept.stored }, now);
      await keepOverheard(transaction, { ...turn, ...kept.stored }, now);
      return { ...kept, told: await toldDeliveries(transaction) };
    });
  }
}

/** In the notes and the audit log. */
const author = 'system';

/** Keeps what others said before: as a note for people, and as what later answers recall of the beginning. */
async function keepOverheard(
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
