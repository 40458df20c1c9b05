import type { Command } from './command.ts';

/** As many choices are remembered. */
const MOST_KEPT = 8;

const storageKey = (person: string) => `parley-latest-${person}`;

/** Entries that the server found are remembered until the tab closes: the names of customers stay out of the storage. */
const found = new Map<string, Command>();

/** The ids of the entries that the person chose in this browser, latest first. */
export function readLatest(person: string): readonly string[] {
  try {
    return (localStorage.getItem(storageKey(person)) ?? '').split(' ').filter((id) => id !== '');
  } catch {
    return [];
  }
}

/** Remembers that the person chose an entry. */
export function rememberLatest(person: string, command: Command): void {
  if (command.isFound === true) found.set(command.id, command);
  const ids = [command.id, ...readLatest(person).filter((id) => id !== command.id)].slice(0, MOST_KEPT);
  try {
    localStorage.setItem(storageKey(person), ids.join(' '));
  } catch {
    // Storage is switched off: nothing is remembered.
  }
}

/** The chosen entries that the server had found, as far as this tab knows them. */
export function chosenInTab(): readonly Command[] {
  return [...found.values()];
}
