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
  | 'file'
  | 'per'
  | 'link'
  | 'idp'
  | 'mkey'
  | 'snip'
  | 'view'
  | 'act'
  | 'src'
  | 'run'
  | 'rule'
  | 'fact'
  | 'test'
  | 'trun'
  | 'timp'
  | 'tick'
  | 'cur'
  | 'gap'
  | 'cset'
  | 'item'
  | 'fail';

/** Random bytes are generated in blocks: one call per character would cost more than the rest of the id. */
const bytes = new Uint8Array(4_096);
let next = bytes.length;

/** Returns a number from 0 to 1. The library distinguishes 32 steps, so one byte is enough. */
function random(): number {
  if (next === bytes.length) {
    randomFillSync(bytes);
    next = 0;
  }
  const byte = bytes[next] ?? 0;
  next += 1;
  return byte / 256;
}

/** Returns a new id such as `conv_01k…`, sortable by creation time, with 80 random bits. */
export function newId(prefix: IdPrefix): string {
  return `${prefix}_${ulid(undefined, random).toLowerCase()}`;
}

const orderedBytes = monotonicFactory(random);

/**
 * Returns an id that sorts after all earlier ones of this process, even within a millisecond. The id is predictable,
 * so it must not be used for secrets.
 */
export function newIdInOrder(prefix: IdPrefix): string {
  return `${prefix}_${orderedBytes().toLowerCase()}`;
}

/** Returns true if `value` has the format of a workspace id. It does not look the workspace up. */
export function isWorkspaceId(value: string): boolean {
  return /^(?:ws_\w+|wt_[A-Za-z0-9]+_\w+)$/.test(value) && value.length <= 100;
}
