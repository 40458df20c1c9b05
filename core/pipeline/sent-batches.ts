import type { Kysely } from 'kysely';
import type { Tables } from '../storage/tables.ts';
import { Together } from '../together.ts';
import { type Sent, type Settled, settleSent } from './settle-part.ts';

/**
 * Notes what platforms took while something of that is being noted, in one go. It waits for nothing else: what is not
 * noted when the process dies is sent again.
 */
export class SentBatches {
  readonly #together: Together<'sent', Sent, Settled>;

  constructor(database: Kysely<Tables>) {
    this.#together = new Together({
      nameOf: (name) => name,
      run: (_, sent) => settleSent(database, sent),
      thenAlone: 'at once',
    });
  }

  settle(sent: Sent): Promise<Settled> {
    return this.#together.ask('sent', sent);
  }
}
