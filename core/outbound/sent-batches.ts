import type { Kysely } from 'kysely';
import type { Conversations } from '../conversations/conversations.ts';
import type { CompanionKind } from '../conversations/turn.ts';
import { laneSessionId, leaseSeconds } from '../inbound/lane.ts';
import { MicroBatcher } from '../storage/micro-batcher.ts';
import type { Tables } from '../storage/tables/tables.ts';
import {
  parseSettled,
  type SentPart,
  type SettleResult,
  sentColumns,
  settleSentParts,
  settleSql,
  toSentRow,
} from './outbox.ts';

/** Companion of a channel's turn: its outbound parts and its handled events. */
export const channelTurnCompanion: CompanionKind = {
  name: 'channel turn',
  // Larger batches delay webhook acknowledgements, smaller ones delay answers.
  most: 8,
  columns: {
    channel_id: 'text',
    lane: 'text',
    lane_token: 'text',
    sending_token: 'text',
    address: 'jsonb',
    parts: 'jsonb',
    events: 'bigint[]',
    said_at: 'timestamptz',
  },
  expression: `commit_channel_turn(
    asked.channel_id, asked.lane, asked.lane_token, asked.sending_token, make_interval(secs => ${leaseSeconds}),
    asked.asked_workspace, kept, asked.answer_id, asked.address, asked.parts, asked.events, asked.asked_at, asked.said_at
  )`,
  rides: { columns: sentColumns, expression: settleSql },
};

interface Dependencies {
  readonly database: Kysely<Tables>;
  readonly conversations: Pick<Conversations, 'addToNextBatch'>;
}

/** Batches receipts that arrive while a batch is being stored. */
export class SentPartBatcher {
  readonly #conversations: Dependencies['conversations'];
  readonly #batcher: MicroBatcher<'sent', SentPart, SettleResult>;

  constructor({ database, conversations }: Dependencies) {
    this.#conversations = conversations;
    this.#batcher = new MicroBatcher({
      nameOf: (name) => name,
      run: (_, sent) => settleSentParts(database, sent),
      thenAlone: 'at once',
    });
  }

  /**
   * Settles a part together with turns that are being stored, if it `mayWait`. A part that is not in the
   * journal must not wait, because it is sent again if the process dies before.
   */
  async settle(sent: SentPart, { mayWait }: { readonly mayWait: boolean }): Promise<SettleResult> {
    const piggybacked = mayWait
      ? await this.#conversations.addToNextBatch(channelTurnCompanion, {
          session: laneSessionId(sent),
          values: toSentRow(sent),
        })
      : null;
    return piggybacked === null ? this.#batcher.add('sent', sent) : parseSettled(sent, piggybacked.value);
  }
}
