import { ulid } from 'ulid';

type IdPrefix = 'ws' | 'own' | 'conv' | 'msg' | 'note' | 'doc' | 'key' | 'chan' | 'hook' | 'evt' | 'req';

/** A new id such as `conv_01k…`: sortable by time of making, with 80 random bits. */
export function newId(prefix: IdPrefix): string {
  return `${prefix}_${ulid().toLowerCase()}`;
}

/** Whether `value` has the shape of a workspace id, before any look-up. */
export function isWorkspaceId(value: string): boolean {
  return /^(?:ws_\w+|wt_[A-Za-z0-9]+_\w+)$/.test(value) && value.length <= 100;
}
