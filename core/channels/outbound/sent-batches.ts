import type { Kysely } from 'kysely';
import type { CompanionKind } from '../../storage/companion.ts';
import { MicroBatcher } from '../../storage/micro-batcher.ts';
import type { Tables } from '../../storage/tables/tables.ts';
import { type SentPart, type SettleResult, settleSentParts } from './outbox.ts';

/** Companion of a channel's turn: its outbound parts and its handled events. */
export const channelTurnCompanion: CompanionKind = {
  name: 'channel turn',
  // Larger batches delay webhook acknowledgements, smaller ones delay answers.
  most: 8,
  columns: {
    channel_id: 'text',
    lane: 'text',
    lane_token: 'text',
    address: 'jsonb',
    parts: 'jsonb',
    events: 'bigint[]',
    said_at: 'timestamptz',
    discloses: 'boolean',
  },
  expression: `commit_channel_turn(
    asked.channel_id, asked.lane, asked.lane_token, asked.asked_workspace, kept, asked.answer_id, asked.address, asked.parts, asked.events, asked.asked_at, asked.said_at, asked.discloses
  )`,
};

/** Batches receipts that arrive while a batch is being stored. */
export class SentPartBatcher {
  readonly #batcher: MicroBatcher<'sent', SentPart, SettleResult>;

  constructor(database: Kysely<Tables>) {
    this.#batcher = new MicroBatcher({
      nameOf: (name) => name,
      run: (_, sent) => settleSentParts(database, sent),
      thenAlone: 'at once',
    });
  }

  /** Records that a platform accepted a part, and returns the next part of its lane. */
  settle(sent: SentPart): Promise<SettleResult> {
    return this.#batcher.add('sent', sent);
  }
}
