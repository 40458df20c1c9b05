import { InvalidArgumentError } from '@commander-js/extra-typings';

/** Adds one `name=VARIABLE` of the command line to those read so far. */
export function readVariable(
  given: string,
  before: Readonly<Record<string, string>> = {},
): Record<string, string> {
  const [, name, variable] = /^([^=]+)=(\w+)$/.exec(given) ?? [];
  if (name === undefined || variable === undefined) throw new InvalidArgumentError('It takes name=VARIABLE.');
  return { ...before, [name]: variable };
}
