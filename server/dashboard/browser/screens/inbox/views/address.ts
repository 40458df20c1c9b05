import type { InboxFilters, InboxSort, InboxView } from '../../../api/queries/inbox.ts';

/** The views that every inbox has, in the order of the rail. */
export const builtInViews = [
  'waiting',
  'mine',
  'unread',
  'sla_at_risk',
  'snoozed',
  'low_confidence',
  'open',
  'resolved',
] as const satisfies readonly InboxView[];

export const statuses = ['open', 'claimed', 'escalated', 'snoozed', 'resolved', 'archived'] as const;
export const priorities = ['urgent', 'high', 'normal', 'low'] as const;
const slaStates = ['in_compliance', 'at_risk', 'breached'] as const;
const opinions = ['up', 'down'] as const;
export const sorts = ['waiting', 'latest', 'sla_due'] as const satisfies readonly InboxSort[];

/** The search values of an address. */
export type Values = Readonly<Record<string, string | undefined>>;

/** A list of conversations as the address names it. */
export interface Place {
  readonly filters: InboxFilters;
  readonly sort: InboxSort | undefined;
  /** The saved view from which the filters came. */
  readonly saved: string | undefined;
}

/** Reads the filters of an address. Unknown values are left out. */
export function readPlace(values: Values): Place {
  const view = findIn([...builtInViews, 'all'] as const, values.view) ?? 'waiting';
  const filters: InboxFilters = {
    view,
    ...list('status', statuses, values.status),
    ...(given(values.channel) && { channel: values.channel.split(',') }),
    ...list('priority', priorities, values.priority),
    ...(given(values.tag) && { tag: values.tag.split(',').map(decode) }),
    ...(given(values.assignee) && { assignee: values.assignee }),
    ...(values.unread === '1' && { unread: true }),
    ...(values.waiting === '1' && { waiting: true }),
    ...(values.draft === '1' && { has_draft: true }),
    ...(given(values.q) && { q: values.q }),
    ...(given(values.email) && { email: values.email }),
    ...(given(values.customer) && { customer: values.customer }),
    ...(given(values.user_id) && { user_id: values.user_id }),
    ...(given(values.session_id) && { session_id: values.session_id }),
    ...(given(values.channel_id) && { channel_id: values.channel_id }),
    ...(given(values.metadata) && { metadata: readPairs(values.metadata) }),
    ...(given(values.since) && { since: values.since }),
    ...(given(values.until) && { until: values.until }),
    ...(given(values.updated_since) && { updated_since: values.updated_since }),
    ...one('sla_state', slaStates, values.sla_state),
    ...one('feedback', opinions, values.feedback),
  };
  return { filters, sort: findIn(sorts, values.sort), saved: given(values.saved) ? values.saved : undefined };
}

/** Fields with their values, such as `order=A-1,step=2`. */
function writePairs(fields: Readonly<Record<string, string>>): string {
  return Object.entries(fields)
    .map((pair) => pair.map(encodeURIComponent).join('='))
    .join(',');
}

function readPairs(text: string): Record<string, string> {
  const pairs = text.split(',').map((pair) => pair.split('=', 2).map(decode));
  return Object.fromEntries(pairs.map(([name = '', value = '']) => [name, value]));
}

/** Writes a place as the search values of an address. */
export function writePlace({ filters, sort, saved }: Place): Record<string, string> {
  const { view, status, channel, priority, tag, unread, waiting, has_draft, metadata, ...texts } = filters;
  const values = {
    view: view ?? 'all',
    saved,
    sort,
    status: status?.join(','),
    channel: channel?.join(','),
    priority: priority?.join(','),
    tag: tag?.map(encodeURIComponent).join(','),
    unread: unread === true ? '1' : undefined,
    waiting: waiting === true ? '1' : undefined,
    draft: has_draft === true ? '1' : undefined,
    metadata: metadata && writePairs(metadata),
    ...texts,
  };
  return Object.fromEntries(
    Object.entries(values).flatMap(([key, value]) => (given(value) ? [[key, value] as const] : [])),
  );
}

/** The order in which the server reads a view by default. */
export function sortOf({ filters, sort }: Pick<Place, 'filters' | 'sort'>): InboxSort {
  if (sort !== undefined) return sort;
  if (filters.view === 'waiting') return 'waiting';
  return filters.view === 'sla_at_risk' ? 'sla_due' : 'latest';
}

/** Whether a list has filters besides its view. */
export function isNarrowed({ view: _, ...filters }: InboxFilters): boolean {
  return Object.keys(filters).length > 0;
}

/** Whether two sets of filters choose the same conversations. */
export function sameFilters(one: InboxFilters, other: InboxFilters): boolean {
  const canonical = (filters: InboxFilters) =>
    JSON.stringify(
      Object.entries({ ...filters, view: filters.view ?? 'all' }).toSorted(([a], [b]) => (a < b ? -1 : 1)),
    );
  return canonical(one) === canonical(other);
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function given(value: string | undefined): value is string {
  return value !== undefined && value !== '';
}

function findIn<Value extends string>(known: readonly Value[], value: string | undefined): Value | undefined {
  return known.find((each) => each === value);
}

function one<Name extends string, Value extends string>(
  name: Name,
  known: readonly Value[],
  text: string | undefined,
): { readonly [Key in Name]?: Value } {
  const found = findIn(known, text);
  // TypeScript loses the name of a computed key.
  const values: { [Key in Name]?: Value } = {};
  if (found !== undefined) values[name] = found;
  return values;
}

function list<Name extends string, Value extends string>(
  name: Name,
  known: readonly Value[],
  text: string | undefined,
): { readonly [Key in Name]?: Value[] } {
  const found = (text ?? '').split(',').flatMap((value) => findIn(known, value) ?? []);
  // TypeScript loses the name of a computed key.
  const values: { [Key in Name]?: Value[] } = {};
  if (found.length > 0) values[name] = found;
  return values;
}
