import { z } from 'zod';

/** An id of Discord's, unique over all kinds of things. It tells when it was made, and has more bits than a number. */
export const snowflake = z.string().regex(/^\d{15,20}$/, 'An id of Discord is a number of 15 to 20 digits.');

const EPOCH_MS = 1_420_070_400_000;
const TIME_SHIFT = 22n;

export function timeOf(id: string): Date {
  return new Date(Number(BigInt(id) >> TIME_SHIFT) + EPOCH_MS);
}

/** The first id that can have been made then. */
export function firstIdAt(time: Date): string {
  return String(BigInt(Math.max(0, time.getTime() - EPOCH_MS)) << TIME_SHIFT);
}
