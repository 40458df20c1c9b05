import type { Kysely } from 'kysely';
import type { Conversations } from '../conversations/conversations.ts';
import type { CompanionKind } from '../conversations/turn.ts';
import { leaseSeconds, sessionOf } from '../inbound/lane.ts';
import { Together } from '../storage/micro-batcher.ts';
import type { Tables } from '../storage/tables/tables.ts';
import { type Sent, type Settled, sentColumns, sentRow, settledOf, settleSent, settling } from './outbox.ts';

/** Beside a turn of a channel: what is to be sent of it, and that its events are dealt with. */
export const channelTurn: CompanionKind = {
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
  rides: { columns: sentColumns, expression: settling },
};

interface Dependencies {
  readonly database: Kysely<Tables>;
  readonly conversations: Pick<Conversations, 'ride'>;
}

/** Notes what platforms took while something of that is being noted, in one go. */
export class SentBatches {
  readonly #conversations: Dependencies['conversations'];
  readonly #together: Together<'sent', Sent, Settled>;

  constructor({ database, conversations }: Dependencies) {
    this.#conversations = conversations;
    this.#together = new Together({
      nameOf: (name) => name,
      run: (_, sent) => settleSent(database, sent),
      thenAlone: 'at once',
    });
  }

  /**
   * With turns where such are being stored and it `mayWait` for them: what is nowhere else is sent again when the process
   * dies before.
   */
  async settle(sent: Sent, { mayWait }: { readonly mayWait: boolean }): Promise<Settled> {
    const noted = mayWait
      ? await this.#conversations.ride(channelTurn, { session: sessionOf(sent), values: sentRow(sent) })
      : null;
    return noted === null ? this.#together.ask('sent', sent) : settledOf(sent, noted.value);
  }
}
