import { randomFillSync } from 'node:crypto';
import { monotonicFactory, ulid } from 'ulid';

type IdPrefix =
  | 'ws'
  | 'own'
  | 'conv'
  | 'msg'
  | 'note'
  | 'doc'
  | 'key'
  | 'chan'
  | 'hook'
  | 'evt'
  | 'skill'
  | 'call'
  | 'req'
  | 'vis'
  | 'file';

/** Random bytes are fetched by the page: one call for each letter of each id would cost more than the rest of it. */
const bytes = new Uint8Array(4_096);
let next = bytes.length;

/** From 0 to 1, in steps of which the library uses 32: a byte is enough. */
function random(): number {
  if (next === bytes.length) {
    randomFillSync(bytes);
    next = 0;
  }
  const byte = bytes[next] ?? 0;
  next += 1;
  return byte / 256;
}

/** A new id such as `conv_01k…`: sortable by time of making, with 80 random bits. */
export function newId(prefix: IdPrefix): string {
  return `${prefix}_${ulid(undefined, random).toLowerCase()}`;
}

const orderedBytes = monotonicFactory(random);

/** An id that sorts after all that this process made here before, also in one millisecond; the next can be guessed. */
export function newIdInOrder(prefix: IdPrefix): string {
  return `${prefix}_${orderedBytes().toLowerCase()}`;
}

/** Whether `value` has the shape of a workspace id, before any look-up. */
export function isWorkspaceId(value: string): boolean {
  return /^(?:ws_\w+|wt_[A-Za-z0-9]+_\w+)$/.test(value) && value.length <= 100;
}
