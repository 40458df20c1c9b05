import type { Catalogue } from '../../texts/english.ts';

interface DetailWords {
  readonly texts: Catalogue;
  /** The name of a member by their id. */
  readonly nameOf: (id: string) => string | undefined;
}

/** Names an action. One without words is shown as the server calls it. */
export function describeAction(action: string, { audit }: Catalogue): string {
  const words: Readonly<Record<string, string>> = audit.actions;
  return words[action] ?? action.replaceAll('_', ' ');
}

/** The details of an entry on one line: first the change from one value to another, then the rest by name. */
export function describeDetails(
  details: Readonly<Record<string, unknown>>,
  { texts, nameOf }: DetailWords,
): string {
  const { from, to, ...rest } = details;
  const parts = Object.entries(rest).map(([name, value]) => {
    const text = say(value);
    return name === 'person' ? (nameOf(text) ?? text) : `${name.replaceAll('_', ' ')}: ${text}`;
  });
  const change = to === undefined ? [] : [texts.audit.changedTo(say(from), say(to))];
  return [...change, ...parts].join(', ');
}

function say(value: unknown): string {
  if (value === null || value === undefined || value === '') return '–';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
