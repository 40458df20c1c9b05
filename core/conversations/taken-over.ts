import { raises } from '../storage/raises.ts';

/** A person took the conversation over while its answer was made: that is not said any more. */
export class TakenOver extends Error {
  constructor() {
    super('a person took the conversation over');
    this.name = 'TakenOver';
  }
}

/** Raised by what is stored beside answers. */
const raisedAs = 'PY002';

export function meansTakenOver(error: unknown): boolean {
  return raises(error, raisedAs);
}
