import { InvalidArgumentError } from '@commander-js/extra-typings';

/** Reads a whole number from the command line. */
export function wholeNumber(value: string): number {
  if (!/^\d{1,9}$/.test(value)) throw new InvalidArgumentError('It takes a whole number.');
  return Number(value);
}
