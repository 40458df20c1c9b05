import type { Kysely, Transaction } from 'kysely';
import { overheardSummary } from '../answering/prompts/fences.ts';
import type { Clock } from '../clock.ts';
import { MicroBatcher } from '../storage/micro-batcher.ts';
import type { Tables } from '../storage/tables/tables.ts';
import { findQueuedDeliveries, type ScheduleDeliveries } from '../webhooks/event-transaction.ts';
import { applySkillEffects } from './apply-effects.ts';
import {
  type ConversationMemory,
  type ConversationRequest,
  loadConversationMemory,
} from './conversation-memory.ts';
import { writeNote } from './notes.ts';
import { PiggybackBatch, type PiggybackItem, type PiggybackResult } from './piggyback-batch.ts';
import {
  type PendingTurn,
  type StoredTurnRow,
  type StoreTurnResult,
  storeTurn,
  storeTurns,
} from './store-turns.ts';
import type { ScheduleSummary } from './summary-schedule.ts';
import type { Companion, CompanionKind, StoredTurn, Turn } from './turn.ts';

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

/**
 * Stores turns while others are being stored, in one go: each commit waits for the disk, and fifty answers at once would
 * wait for one another's, and for the owner's count of messages.
 */
class TurnBatcher {
  readonly #together: MicroBatcher<CompanionKind | undefined, PendingTurn, StoredTurnRow | undefined>;
  /** By names of kinds. */
  readonly #riders = new Map<string, PiggybackBatch>();

  constructor(database: Kysely<Tables>) {
    this.#together = new MicroBatcher({
      nameOf: (kind) => kind?.name ?? '',
      run: async (kind, turns) => {
        const { kept } = await this.#ridersOf(kind).storeWithWaiting(
          (riders) => storeTurns(database, { kind, turns, riders }),
          // Each of several is tried alone after a failure.
          { triesAgain: turns.length > 1 },
        );
        const byMessage = new Map(kept.map((turn) => [turn.message_id, turn]));
        // What was kept for webhooks is of all of them, and told of once.
        const told = kept.at(-1)?.told ?? [];
        return ({ row }, index) => {
          const turn = byMessage.get(row.answer_id);
          return turn && { ...turn, told: index === 0 ? told : [] };
        };
      },
      thenAlone: 'at once',
      gathers: true,
      most: (kind) => kind?.most ?? Number.POSITIVE_INFINITY,
    });
  }

  /** Resolves when it cannot be lost any more; with undefined where its conversation is not there. */
  store(turn: PendingTurn): Promise<StoredTurnRow | undefined> {
    return this.#together.add(turn.companion?.kind, turn);
  }

  /** Notes it with turns of the kind, if such are being stored; null where it has to be noted by itself. */
  addToNextBatch(kind: CompanionKind, rider: PiggybackItem): Promise<PiggybackResult | null> {
    return this.#ridersOf(kind).add(rider);
  }

  #ridersOf(kind: CompanionKind | undefined): PiggybackBatch {
    const name = kind?.name ?? '';
    const riders = this.#riders.get(name) ?? new PiggybackBatch();
    this.#riders.set(name, riders);
    return riders;
  }
}
