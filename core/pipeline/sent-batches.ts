import type { Kysely } from 'kysely';
import type { Conversations } from '../conversations/conversations.ts';
import type { Tables } from '../storage/tables.ts';
import { Together } from '../together.ts';
import { channelTurn } from './channel-turn.ts';
import { sessionOf } from './session-of.ts';
import { type Sent, type Settled, sentRow, settledOf, settleSent } from './settle-part.ts';

interface Dependencies {
  readonly database: Kysely<Tables>;
  readonly conversations: Conversations;
}

/**
 * Notes what platforms took: with turns where such are being stored, else while something of that is being noted, in one
 * go. It waits for nothing else: what is not noted when the process dies is sent again.
 */
export class SentBatches {
  readonly #conversations: Conversations;
  readonly #together: Together<'sent', Sent, Settled>;

  constructor({ database, conversations }: Dependencies) {
    this.#conversations = conversations;
    this.#together = new Together({
      nameOf: (name) => name,
      run: (_, sent) => settleSent(database, sent),
      thenAlone: 'at once',
    });
  }

  async settle(sent: Sent): Promise<Settled> {
    const rider = { session: sessionOf(sent), values: sentRow(sent) };
    const noted = await this.#conversations.ride(channelTurn, rider);
    return noted === null ? this.#together.ask('sent', sent) : settledOf(sent, noted.value);
  }
}
