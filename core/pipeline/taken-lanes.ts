import type { LaneKey } from './lane-key.ts';
import type { LaneWork } from './lane-work.ts';
import { sessionOf } from './session-of.ts';

interface Taken {
  /** Shows that the lane is held. */
  readonly token: string;
  readonly work: LaneWork;
}

/** Lanes that were taken with what came in them, until the job that is begun for it here goes on. */
export class TakenLanes {
  readonly #taken = new Map<string, Taken>();

  put(key: LaneKey, taken: Taken): void {
    this.#taken.set(sessionOf(key), taken);
  }

  /** Whoever gets it is the only one. */
  collect(key: LaneKey): Taken | null {
    const name = sessionOf(key);
    const taken = this.#taken.get(name) ?? null;
    this.#taken.delete(name);
    return taken;
  }
}
