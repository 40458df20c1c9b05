import { createHash } from 'node:crypto';
import type { z } from 'zod';
import { AppError } from './errors.ts';

const sealBytes = 9;

/** An opaque text that leads back to `position` in the list named; it fits no other list. */
export function writeCursor(list: string, position: unknown): string {
  const text = JSON.stringify(position);
  return sealOf(list, text) + Buffer.from(text).toString('base64url');
}

/**
 * The position in a cursor that was made for the same `list`. Throws `invalid_cursor` for one of another list and
 * for one that was changed in a single character.
 */
export function readCursor<Position>(list: string, cursor: string, schema: z.ZodType<Position>): Position {
  const sealLength = (sealBytes * 4) / 3;
  const text = Buffer.from(cursor.slice(sealLength), 'base64url').toString('utf8');
  if (sealOf(list, text) + Buffer.from(text).toString('base64url') !== cursor) {
    throw new AppError('invalid_cursor');
  }
  try {
    return schema.parse(JSON.parse(text));
  } catch (cause) {
    throw new AppError('invalid_cursor', { cause });
  }
}

function sealOf(list: string, text: string): string {
  const digest = createHash('sha256').update(`${list}\0${text}`).digest();
  return digest.subarray(0, sealBytes).toString('base64url');
}
