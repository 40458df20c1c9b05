import type { FetchMessageObject } from 'imapflow';

/** When the last server got a mail; long ago where it does not say. */
export function internalDate({ internalDate: date }: Pick<FetchMessageObject, 'internalDate'>): Date {
  const read = new Date(date ?? Number.NaN);
  return Number.isNaN(read.getTime()) ? new Date(0) : read;
}
