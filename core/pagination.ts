import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { z } from 'zod';
import { AppError } from './errors.ts';
import type { SecretBox } from './workspaces/secret-box.ts';

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
 * Cuts a page out of `rows`, of which one more than `limit` was fetched to see whether there are further ones.
 * `cursorAfter` makes the cursor that leads on from the last row shown.
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

const checksumBytes = 9;
const signatureBytes = 12;
/** Base64 ends there, so it is in no cursor. */
const separator = '=';

/** An opaque text that leads back to `position` in the list named; it fits no other list. */
export function writeCursor(list: string, position: unknown): string {
  const text = JSON.stringify(position);
  return checksum(list, text) + Buffer.from(text).toString('base64url');
}

/**
 * The position in a cursor that was made for the same `list`. Throws `invalid_cursor` for one of another list and
 * for one that was changed in a single character.
 */
export function readCursor<Position>(list: string, cursor: string, schema: z.ZodType<Position>): Position {
  const sealLength = (checksumBytes * 4) / 3;
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
  return digest.subarray(0, checksumBytes).toString('base64url');
}

/** Signs cursors that leave the server, so that only those that this installation made are read again. */
export class CursorSeal {
  readonly #key: Uint8Array;

  /** The key follows from the encryption key: all processes of an installation have the same one, after a restart too. */
  constructor(secretBox: Pick<SecretBox, 'derive'>) {
    this.#key = secretBox.derive('cursor');
  }

  seal(cursor: string): string {
    return cursor + separator + this.#sign(cursor);
  }

  /** The cursor inside. Throws `invalid_cursor` for one that is forged, changed or of another installation. */
  open(sealed: string): string {
    const end = sealed.lastIndexOf(separator);
    const cursor = sealed.slice(0, Math.max(0, end));
    const given = Buffer.from(sealed.slice(end + 1));
    const expected = Buffer.from(this.#sign(cursor));
    if (given.byteLength === expected.byteLength && timingSafeEqual(given, expected)) return cursor;
    throw new AppError('invalid_cursor');
  }

  #sign(cursor: string): string {
    const digest = createHmac('sha256', this.#key).update(cursor).digest();
    return digest.subarray(0, signatureBytes).toString('base64url');
  }
}
