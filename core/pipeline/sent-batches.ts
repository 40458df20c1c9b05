import type { Kysely } from 'kysely';
import type { Conversations } from '../conversations/conversations.ts';
import type { Tables } from '../storage/tables.ts';
import { Together } from '../together.ts';
import { channelTurn } from './channel-turn.ts';
import { sessionOf } from './session-of.ts';
import { type Sent, type Settled, sentRow, settledOf, settleSent } from './settle-part.ts';

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
