import type { CommandUnknownOpts } from '@commander-js/extra-typings';

/** Options that may stand anywhere on the line, and whether a value follows. */
const globalFlags: Readonly<Record<string, boolean>> = {
  '--json': false,
  '--server': true,
  '--workspace': true,
};

/**
 * Moves `--json`, `--server` and `--workspace` behind the command that they stand before, where its parser looks for them:
 * `--json key list` becomes `key list --json`.
 */
export function placeGlobalFlags(program: CommandUnknownOpts, args: readonly string[]): string[] {
  const path: string[] = [];
  const flags: string[] = [];
  let command = program;
  let at = 0;
  for (let word = args[at]; word !== undefined && command.commands.length > 0; word = args[at]) {
    const [name = ''] = word.split('=', 1);
    const takesValue = Object.hasOwn(globalFlags, name) ? globalFlags[name] : undefined;
    const child = command.commands.find((known) => known.name() === word);
    if (takesValue !== undefined) {
      const length = takesValue && !word.includes('=') ? 2 : 1;
      flags.push(...args.slice(at, at + length));
      at += length;
    } else if (child !== undefined) {
      path.push(word);
      command = child;
      at += 1;
    } else break;
  }
  return [...path, ...flags, ...args.slice(at)];
}
