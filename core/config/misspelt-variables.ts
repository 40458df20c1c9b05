import { editDistance } from '../base/edit-distance.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Shorter names, such as PORT, are close to those of many other programs. */
const MIN_LENGTH = 8;
const MAX_DISTANCE = 2;
/** The letters at the beginning that a name shares with the one that was meant. */
const SAME_START = 3;

/** Variables of other programs that are close to one of ours: of cron, of loggers and of database servers. */
const ofOthers: ReadonlySet<string> = new Set(['MAILFROM', 'LOGLEVEL', 'DATADIR']);

/**
 * Returns one line for each variable that is not known, but within two letters of a known one that is not set. A set
 * one was not misspelt, so a variable of another program beside it raises no alarm.
 */
export function findMisspelt(
  environment: Environment,
  { known, isKnown }: { readonly known: readonly string[]; readonly isKnown: (name: string) => boolean },
): readonly string[] {
  const isSet = (name: string) => (environment[name] ?? '').trim() !== '';
  const missing = known.filter((name) => name.length >= MIN_LENGTH && !isSet(name));
  const unknown = Object.keys(environment).filter(
    (name) => isSet(name) && !isKnown(name) && !ofOthers.has(name),
  );
  return unknown.flatMap((name) => {
    const meant = findNearest(name, missing);
    return meant === null ? [] : [`${name} is not known. Did you mean ${meant}? Correct or remove it.`];
  });
}

function findNearest(name: string, candidates: readonly string[]): string | null {
  const near = candidates
    .filter((candidate) => candidate.startsWith(name.slice(0, SAME_START)))
    .filter((candidate) => Math.abs(candidate.length - name.length) <= MAX_DISTANCE)
    .map((candidate) => ({ candidate, distance: editDistance(name, candidate) }))
    // Two letters of a short name are a quarter of it.
    .filter(({ candidate, distance }) => distance <= (candidate.length === MIN_LENGTH ? 1 : MAX_DISTANCE))
    .toSorted((one, other) => one.distance - other.distance);
  return near[0]?.candidate ?? null;
}
