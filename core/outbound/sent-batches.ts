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

/** Beside a turn of a channel: what is to be sent of it, and that its events are dealt with. */
export const channelTurnCompanion: CompanionKind = {
  name: 'channel turn',
  // Far more would keep platforms waiting that have something to tell; fewer, those who wait for an answer.
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

/** Notes what platforms took while something of that is being noted, in one go. */
export class SentPartBatcher {
  readonly #conversations: Dependencies['conversations'];
  readonly #together: MicroBatcher<'sent', SentPart, SettleResult>;

  constructor({ database, conversations }: Dependencies) {
    this.#conversations = conversations;
    this.#together = new MicroBatcher({
      nameOf: (name) => name,
      run: (_, sent) => settleSentParts(database, sent),
      thenAlone: 'at once',
    });
  }

  /**
   * With turns where such are being stored and it `mayWait` for them: what is nowhere else is sent again when the process
   * dies before.
   */
  async settle(sent: SentPart, { mayWait }: { readonly mayWait: boolean }): Promise<SettleResult> {
    const noted = mayWait
      ? await this.#conversations.addToNextBatch(channelTurnCompanion, {
          session: laneSessionId(sent),
          values: toSentRow(sent),
        })
      : null;
    return noted === null ? this.#together.add('sent', sent) : parseSettled(sent, noted.value);
  }
}
