import { AppError } from '../errors.ts';

/** What these gave up is kept, and can be tried again. */
export type KeptQueue = 'answer' | 'deliver';

/** The queue of that name. Throws `queue_not_found` for one that keeps nothing, and for none at all. */
export function keptQueue(name: string): KeptQueue {
  if (name === 'answer' || name === 'deliver') return name;
  throw new AppError('queue_not_found');
}
