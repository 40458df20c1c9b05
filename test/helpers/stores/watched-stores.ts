import type { ConversationRequest } from '../../../core/conversations/conversation-memory.ts';
import { Conversations } from '../../../core/conversations/conversations.ts';
import type { StoredTurn, Turn } from '../../../core/conversations/messages/turn.ts';
import { MessageQuota, type Reservation } from '../../../core/limits/quota.ts';
import type { Runtime } from '../../../core/runtime/runtime.ts';
import type { Companion } from '../../../core/storage/companion.ts';

/** Waits for what a server does after it has answered, or when nobody is there to be answered. */
export class WatchedStores {
  readonly conversations: Conversations;
  readonly quota: MessageQuota;
  /** Called before a conversation is looked up: throw in it to fail, await in it to hold. */
  recalling: () => Promise<void> = async () => {};
  #stored = Promise.withResolvers<Turn & StoredTurn>();
  #refunded = Promise.withResolvers<void>();

  constructor({ database: { kysely: database }, clock }: Runtime) {
    const stored = (turn: Turn & StoredTurn) => this.#stored.resolve(turn);
    const refunded = () => this.#refunded.resolve();
    const recalling = () => this.recalling();
    this.conversations = new (class extends Conversations {
      override async loadMemory(request: ConversationRequest) {
        await recalling();
        return super.loadMemory(request);
      }
      override async storeTurn(turn: Turn, beside?: (stored: StoredTurn) => Companion) {
        const result = await super.storeTurn(turn, beside);
        stored({ ...turn, ...result });
        return result;
      }
    })({ database, clock });
    this.quota = new (class extends MessageQuota {
      override async refund(reservation: Reservation) {
        await super.refund(reservation);
        refunded();
      }
    })({ database, clock });
  }

  /** Resolves with the next turn that is stored from now on. */
  stored(): Promise<Turn & StoredTurn> {
    this.#stored = Promise.withResolvers();
    return this.#stored.promise;
  }

  /** Resolves when the next message from now on was taken off the count. */
  refunded(): Promise<void> {
    this.#refunded = Promise.withResolvers();
    return this.#refunded.promise;
  }
}
