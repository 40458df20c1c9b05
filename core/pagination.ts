import { z } from 'zod';
import { AppError } from './errors.ts';

/** Where a page ended: the sort key of its last row. */
export interface Position {
  readonly at: Date;
  readonly id: string;
}

export interface PageRequest {
  /** 1 to 100. */
  readonly limit: number;
  readonly cursor?: string | undefined;
}

export interface Page<Item> {
  readonly items: readonly Item[];
  /** Null on the last page. */
  readonly nextCursor: string | null;
}

const cursorSchema = z.tuple([z.string(), z.iso.datetime(), z.string().regex(/^\w+$/)]);

/** Reads a cursor made for the same `list`; throws `invalid_cursor` for a broken or foreign one. */
export function readCursor(list: string, cursor: string): Position {
  try {
    const text = Buffer.from(cursor, 'base64url').toString('utf8');
    const [madeFor, at, id] = cursorSchema.parse(JSON.parse(text));
    if (madeFor === list) return { at: new Date(at), id };
  } catch (cause) {
    throw new AppError('invalid_cursor', { cause });
  }
  throw new AppError('invalid_cursor');
}

/**
 * Cuts a page out of `rows`, of which one more than `limit` was fetched to see whether there are further ones.
 * `list` names the list and what it is limited to, so that a cursor fits no other.
 */
export function cutPage<Row>(
  rows: readonly Row[],
  limit: number,
  cursor: { readonly list: string; readonly positionOf: (row: Row) => Position },
): Page<Row> {
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  if (rows.length <= limit || last === undefined) return { items, nextCursor: null };
  const { at, id } = cursor.positionOf(last);
  const text = JSON.stringify([cursor.list, at.toISOString(), id]);
  return { items, nextCursor: Buffer.from(text).toString('base64url') };
}
