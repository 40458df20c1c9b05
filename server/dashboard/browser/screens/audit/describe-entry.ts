import type { Catalogue } from '../../texts/english.ts';

interface EntryContext {
  readonly texts: Catalogue;
  readonly actor: string;
  /** The name of a member by their id. */
  readonly nameOf: (id: string) => string | undefined;
}

/** Names an action. One without words is shown as the server calls it. */
export function describeAction(action: string, { audit }: Catalogue): string {
  const words: Readonly<Record<string, string>> = audit.actions;
  return words[action] ?? action.replaceAll('_', ' ');
}

const ids = ['id', 'channel', 'document'];

/** The details of an entry on one line: whom it is about, the change from one value to another, then the rest by name. */
export function describeDetails(
  { person, from, to, link: _link, name, ...others }: Readonly<Record<string, unknown>>,
  { texts: { audit }, actor, nameOf }: EntryContext,
): string {
  const known: Readonly<Record<string, string>> = audit.words;
  const say = (value: unknown): string => {
    if (value === null || value === undefined || value === '') return '–';
    if (Array.isArray(value)) return value.map(say).join(', ');
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    return known[text] ?? text;
  };
  // A name, an address or a kind says more than the id of the same thing.
  const isNamed = [name, others.url, others.kind].some((value) => value !== undefined);
  const about = typeof person === 'string' ? (nameOf(person) ?? person) : actor;
  return [
    ...(about === actor ? [] : [about]),
    ...(to === undefined ? [] : [audit.changedTo(say(from), say(to))]),
    ...(name === undefined ? [] : [say(name)]),
    ...Object.entries(others)
      .filter(([field]) => !ids.includes(field) || !isNamed)
      .map(([field, value]) => `${known[field] ?? field.replaceAll('_', ' ')}: ${say(value)}`),
  ].join(', ');
}
