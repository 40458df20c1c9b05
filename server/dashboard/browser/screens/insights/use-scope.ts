import { useWorkspaceId } from '../../api/queries/workspace.ts';
import { useSearchValues } from '../use-search-values.ts';
import type { Outcome, Scope } from './insight-queries.ts';

export const filterNames = [
  'outcome',
  'channel',
  'language',
  'audience',
  'confidence',
  'hour',
  'document',
  'model',
] as const;

export type FilterName = (typeof filterNames)[number];

export const confidences = ['high', 'medium', 'low'] as const;
/** The outcomes in the order of the bar. */
export const outcomeNames: readonly Outcome[] = ['confirmed', 'assumed', 'left', 'unanswered', 'handed_over'];

const dayMs = 24 * 3_600_000;
/** The lengths of ranges that end today, in days. */
export const rangeDays = ['7', '28', '90', '365'] as const;
const USUAL_DAYS = 28;

/** The range and the filters in the address, and ways to change them. */
export function useScope() {
  const workspace = useWorkspaceId();
  const { values, change } = useSearchValues();
  const days = rangeDays.find((each) => each === values.days);
  const isOwn = values.from !== undefined && values.to !== undefined;
  // The person's own day, as YYYY-MM-DD: most people live in the time zone of their workspace.
  const today = new Intl.DateTimeFormat('sv-SE').format(new Date());
  const range =
    values.from !== undefined && values.to !== undefined
      ? { from: values.from, to: values.to }
      : { from: addDays(today, 1 - Number(days ?? USUAL_DAYS)), to: today };
  const scope: Scope = { ...range, ...readFilters(values) };
  return {
    workspace,
    scope,
    values,
    /** The chosen length of the range; null if it has its own days. */
    days: isOwn ? null : (days ?? String(USUAL_DAYS)),
    change,
    /** Filters the whole page, or takes the filter back if it is on. */
    toggle: (name: FilterName, value: string) =>
      void change({ [name]: values[name] === value ? '' : value }, { replace: true }),
  };
}

/** The filters in the address. An unknown value of a list is left out. */
function readFilters(values: Readonly<Record<string, string>>): Omit<Scope, 'from' | 'to'> {
  const { channel, language, audience, document, model, hour } = values;
  const confidence = confidences.find((each) => each === values.confidence);
  const outcome = outcomeNames.find((each) => each === values.outcome);
  return {
    ...(channel !== undefined && { channel }),
    ...(language !== undefined && { language }),
    ...(audience !== undefined && { audience }),
    ...(document !== undefined && { document }),
    ...(model !== undefined && { model }),
    ...(hour !== undefined && { hour: Number(hour) }),
    ...(confidence !== undefined && { confidence }),
    ...(outcome !== undefined && { outcome }),
  };
}

function addDays(day: string, days: number): string {
  return new Date(Date.parse(day) + days * dayMs).toISOString().slice(0, 10);
}
