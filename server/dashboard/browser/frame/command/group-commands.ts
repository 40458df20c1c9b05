import { type Command, type CommandGroup, type GroupId, groupIds } from './command.ts';
import { fold, MISTYPED, rankMatch } from './match.ts';

/** Entries of a group that are listed once something is typed. */
const MOST_FOUND = 6;
/** Entries of the group of the latest ones. */
const MOST_LATEST = 5;

/** Groups that wait until something is typed: nobody reads them as a list. */
const onlyFound: readonly GroupId[] = ['settings', 'workspaces'];

interface Ranked {
  readonly command: Command;
  readonly rank: number;
}

/**
 * Returns the entries as the menu shows them. Nothing typed: the latest chosen ones first, then screens and verbs.
 * Otherwise it returns the entries that fit, best group first. Entries that fit only with a mistake are shown if no other does. Pure.
 */
export function groupCommands(
  commands: readonly Command[],
  { typed, latest }: { readonly typed: string; readonly latest: readonly string[] },
): readonly CommandGroup[] {
  const wanted = fold(typed.trim());
  if (wanted === '') return listLatest(commands, latest);
  const ranked = commands.flatMap((command): readonly Ranked[] => {
    const rank = command.isFound === true ? (rankOwn(command, wanted) ?? 3) : rankOwn(command, wanted);
    return rank === null ? [] : [{ command, rank }];
  });
  const exact = ranked.filter(({ rank }) => rank < MISTYPED);
  const shown = exact.length > 0 ? exact : ranked;
  return groupIds
    .map((id) => ({
      id,
      fitting: shown
        .filter(({ command }) => command.group === id)
        // A screen and a verb of the same rank are found before.
        .toSorted((one, other) => one.rank - other.rank),
    }))
    .filter(({ fitting }) => fitting.length > 0)
    .toSorted((one, other) => (one.fitting[0]?.rank ?? 0) - (other.fitting[0]?.rank ?? 0))
    .map(({ id, fitting }) => ({
      id,
      commands: fitting.slice(0, MOST_FOUND).map(({ command }) => command),
      total: fitting.length,
    }));
}

function rankOwn({ label, description = '', keywords = '' }: Command, wanted: string): number | null {
  return rankMatch(wanted, { label: fold(label), others: fold(`${description} ${keywords}`) });
}

function listLatest(commands: readonly Command[], latest: readonly string[]): readonly CommandGroup[] {
  const chosen = latest
    .flatMap((id) => commands.find((command) => command.id === id) ?? [])
    .slice(0, MOST_LATEST);
  const first: CommandGroup = { id: 'latest', commands: chosen, total: chosen.length };
  const others = groupIds.map((id) => {
    const own = commands.filter(
      (command) => command.group === id && command.isFound !== true && !chosen.includes(command),
    );
    return { id, commands: onlyFound.includes(id) ? [] : own, total: own.length };
  });
  return [first, ...others].filter(({ commands: listed }) => listed.length > 0);
}
