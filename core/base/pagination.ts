import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { z } from 'zod';
import { AppError } from './errors.ts';

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

/**
 * Cuts a page out of `rows`, which contains one row more than `limit` if there are further pages. `cursorAfter`
 * returns the cursor that continues after a row.
 */
export function cutPage<Row>(
  rows: readonly Row[],
  limit: number,
  cursorAfter: (row: Row) => string,
): Page<Row> {
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  const isLast = rows.length <= limit || last === undefined;
  return { items, nextCursor: isLast ? null : cursorAfter(last) };
}

const CHECKSUM_BYTES = 9;
const SIGNATURE_BYTES = 12;
/** Base64 padding only occurs at the end, so no cursor contains it. */
const separator = '=';

/** Returns an opaque cursor for `position` in a list. It is only valid for this list. */
export function writeCursor(list: string, position: unknown): string {
  const text = JSON.stringify(position);
  return checksum(list, text) + Buffer.from(text).toString('base64url');
}

/**
 * Returns the position in a cursor of the same `list`. Throws `invalid_cursor` for a cursor of another list or
 * one that was changed.
 */
export function readCursor<Position>(list: string, cursor: string, schema: z.ZodType<Position>): Position {
  const sealLength = (CHECKSUM_BYTES * 4) / 3;
  const text = Buffer.from(cursor.slice(sealLength), 'base64url').toString('utf8');
  if (checksum(list, text) + Buffer.from(text).toString('base64url') !== cursor) {
    throw new AppError('invalid_cursor');
  }
  try {
    return schema.parse(JSON.parse(text));
  } catch (cause) {
    throw new AppError('invalid_cursor', { cause });
  }
}

function checksum(list: string, text: string): string {
  const digest = createHash('sha256').update(`${list}\0${text}`).digest();
  return digest.subarray(0, CHECKSUM_BYTES).toString('base64url');
}

/** Derives keys from the installation's encryption key. */
interface KeySource {
  derive(purpose: string): Uint8Array;
}

/** Signs cursors that leave the server, so that only cursors of this installation are accepted. */
export class CursorSeal {
  readonly #key: Uint8Array;

  /**
   * The key is derived from the encryption key, so all processes of an installation share it, also after a
   * restart.
   */
  constructor(keys: KeySource) {
    this.#key = keys.derive('cursor');
  }

  seal(cursor: string): string {
    return cursor + separator + this.#sign(cursor);
  }

  /**
   * Returns the signed cursor. Throws `invalid_cursor` if it is forged, changed, or from another installation.
   */
  open(sealed: string): string {
    const end = sealed.lastIndexOf(separator);
    const cursor = sealed.slice(0, Math.max(0, end));
    const received = Buffer.from(sealed.slice(end + 1));
    const expected = Buffer.from(this.#sign(cursor));
    if (received.byteLength === expected.byteLength && timingSafeEqual(received, expected)) return cursor;
    throw new AppError('invalid_cursor');
  }

  #sign(cursor: string): string {
    const digest = createHmac('sha256', this.#key).update(cursor).digest();
    return digest.subarray(0, SIGNATURE_BYTES).toString('base64url');
  }
}
