import type { Kysely } from 'kysely';
import type { Clock } from '../clock.ts';
import type { Tables } from '../storage/tables.ts';
import { Together } from '../together.ts';
import { type LaneWork, type TakenLane, takeLaneWork } from './lane-work.ts';

interface Dependencies {
  readonly database: Kysely<Tables>;
  readonly clock: Clock;
}

/** What begins at one moment keeps the process from all else for as long as it has something to do. */
const most = 4;

/** Takes lanes to answer in them while others are being taken, in one go. */
export class LaneBatches {
  readonly #together: Together<'lanes', TakenLane, LaneWork | null>;

  constructor({ database, clock }: Dependencies) {
    this.#together = new Together({
      nameOf: (name) => name,
      run: (_, lanes) => takeLaneWork(database, lanes, clock.now()),
      thenAlone: 'at once',
      gathers: true,
      most: () => most,
    });
  }

  /** What waits in the lane, which is held under the token from then on; null where somebody else has it. */
  take(lane: TakenLane): Promise<LaneWork | null> {
    return this.#together.ask('lanes', lane);
  }
}
