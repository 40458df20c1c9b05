import type { Turn } from '../conversations/turn.ts';

/**
 * The reason to abort an answer's signal with so that what there is of it is kept, marked as not whole. With any other
 * reason nothing is kept.
 */
export class Interruption extends Error {
  readonly ended: NonNullable<Turn['ended']>;

  constructor(ended: NonNullable<Turn['ended']>) {
    super(`the answer was ended before it was whole: ${ended}`);
    this.name = 'Interruption';
    this.ended = ended;
  }
}
