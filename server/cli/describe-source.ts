import { z } from 'zod';

/** Documents that wait for the index. */
export const backlogResponse = z.looseObject({ documents: z.number(), oldest_at: z.string().nullable() });

/** Returns how many documents wait for the index, and for how long. Empty if none does. */
export function describeBacklog(
  { documents, oldest_at: oldest }: z.output<typeof backlogResponse>,
  now: Date,
): string {
  if (documents === 0 || oldest === null) return '';
  const seconds = Math.max(0, Math.round((now.getTime() - Date.parse(oldest)) / 1_000));
  const age = seconds < 120 ? `${seconds} s` : `${Math.floor(seconds / 60)} min`;
  return documents === 1
    ? `1 document waits for the index, for ${age}`
    : `${documents} documents wait for the index, oldest ${age}`;
}

const runResponse = z.looseObject({
  number: z.number(),
  state: z.string(),
  counts: z.record(z.string(), z.number()),
  unlisted: z.number(),
  waiting: z.number(),
  reason: z.string().nullable(),
});

/** A source, as far as the command line shows it. */
export const sourceResponse = z.looseObject({
  id: z.string(),
  name: z.string(),
  kind: z.string(),
  documents: z.number(),
  indexing: backlogResponse,
  state: z.string(),
  left: z.number(),
  troubles: z.array(
    z.object({ code: z.string(), items: z.number(), sample: z.object({ url: z.string().nullable() }) }),
  ),
  hold: z.object({ removed: z.number(), changed: z.number(), kept: z.number() }).nullable(),
  lastmod_distrust: z.object({ sample: z.string() }).nullable(),
  paused: z.boolean(),
  next_run_at: z.string().nullable(),
  last_run: runResponse.nullable(),
});

type Source = z.output<typeof sourceResponse>;

/** The fields of a source, with those of its newest run. */
export function flattenSource(shown: Source, now: Date): Readonly<Record<string, unknown>> {
  const { last_run: run, settings, troubles, hold, lastmod_distrust: distrust, indexing, ...source } = shown;
  return {
    ...source,
    indexing: describeBacklog(indexing, now),
    settings: JSON.stringify(settings),
    troubles: troubles
      .map(({ code, items, sample }) => `${items} ${code}, such as ${sample.url ?? 'one without an address'}`)
      .join('; '),
    hold: hold && `${hold.removed} would be removed, ${hold.changed} changed, ${hold.kept} kept`,
    lastmod_distrust: distrust && `${distrust.sample} changed under its old date`,
    last_run: run && `${run.number}: ${describeRun(run)}`,
  };
}

/** Returns the state of a source with the number that matters. */
export function describeState({ state, left, troubles, hold }: Source): string {
  const words = state.replaceAll('_', ' ');
  if (hold !== null) return `${words} (${hold.removed} gone, ${hold.changed} changed)`;
  const troubled = troubles.reduce((sum, { items }) => sum + items, 0);
  if (state === 'needs_you' && troubled > 0) return `${words} (${troubled} items)`;
  return state === 'catching_up' && left > 0 ? `${words} (${left} left)` : words;
}

/** Returns the state, the counts and the reason of a run in one line. */
export function describeRun({
  state,
  counts,
  unlisted,
  waiting,
  reason,
}: z.output<typeof runResponse>): string {
  const numbers = Object.entries(counts).flatMap(([name, count]) => (count === 0 ? [] : `${count} ${name}`));
  const beyond = unlisted === 0 ? [] : [`${unlisted} linked but not listed`];
  const left = waiting === 0 ? [] : [`${waiting} waiting`];
  const parts = [...numbers, ...beyond, ...left].join(', ');
  return `${state}${parts === '' ? '' : ` (${parts})`}${reason === null ? '' : `: ${reason}`}`;
}
