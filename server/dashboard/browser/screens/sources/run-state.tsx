import { Progress, Text } from '@mantine/core';
import { isRunGoing, type Source, type SourceRun } from '../../api/queries/sources.ts';
import { CircleAlert, CircleCheck, Clock, Hand, Pause, RefreshCw, Square } from '../../icons.ts';
import { StatusPill } from '../../parts/pills.tsx';
import type { Catalogue } from '../../texts/english.ts';
import { useTexts } from '../../texts/texts.tsx';

const looks = {
  queued: { tone: 'grey', icon: Clock },
  running: { tone: 'accent', icon: RefreshCw },
  finished: { tone: 'green', icon: CircleCheck },
  failed: { tone: 'red', icon: CircleAlert },
  cancelled: { tone: 'grey', icon: Square },
  held: { tone: 'amber', icon: Hand },
} as const;

const sourceLooks = {
  not_read: { tone: 'grey', icon: Clock },
  paused: { tone: 'grey', icon: Pause },
  held: { tone: 'amber', icon: Hand },
  needs_you: { tone: 'red', icon: CircleAlert },
  catching_up: { tone: 'accent', icon: RefreshCw },
  in_step: { tone: 'green', icon: CircleCheck },
} as const;

/** The state of a source, with a number if there is one. */
export function SourceState({ source }: { readonly source: Source }) {
  const { texts } = useTexts();
  return <StatusPill {...sourceLooks[source.state]}>{describeState(source, texts)}</StatusPill>;
}

function describeState({ state, left, troubles }: Source, { sources }: Catalogue): string {
  if (state === 'catching_up' && left > 0) return sources.standing.catchingUp(left);
  const troubled = troubles.reduce((sum, { items }) => sum + items, 0);
  if (state === 'needs_you' && troubled > 0) return sources.standing.needsYou(troubled);
  return sources.standing[state];
}

export function RunPill({ run: { state } }: { readonly run: SourceRun }) {
  const { texts } = useTexts();
  return <StatusPill {...looks[state]}>{texts.sources.states[state]}</StatusPill>;
}

/** The progress of a run, as a line and a bar. */
export function RunProgress({ run }: { readonly run: SourceRun }) {
  const { texts } = useTexts();
  const { listed } = run.counts;
  const done = Math.max(0, listed - run.waiting);
  return (
    <div className="p-run-progress" role="status">
      <Text size="sm">{describePhase(run, texts)}</Text>
      {run.phase === 'read' && listed > 0 && (
        <Progress value={(done / listed) * 100} size="sm" aria-label={describePhase(run, texts)} />
      )}
      {run.waits_until !== null && (
        <Text size="sm" c="var(--p-text-2)">
          {run.reason ?? texts.sources.waitsUntil}
        </Text>
      )}
    </div>
  );
}

function describePhase({ phase, counts, waiting }: SourceRun, { sources }: Catalogue): string {
  const { listed } = counts;
  if (phase === 'list') return sources.phases.list(listed);
  if (phase === 'read') return sources.phases.read(Math.max(0, listed - waiting), listed);
  return phase === 'remove' ? sources.phases.remove : sources.states.queued;
}

/** The result of a run in one line: its changes, why it failed, or its progress. */
export function describeResult(run: SourceRun, texts: Catalogue): string {
  if (isRunGoing(run)) return describePhase(run, texts);
  if (run.state === 'failed' && run.reason !== null) return run.reason;
  const words = texts.sources;
  if (run.state === 'held') return words.hold.outcomes[run.hold_outcome ?? 'waiting'];
  const { added, changed, removed, failed } = run.counts;
  const changes = words.changes(added, changed, removed);
  return failed > 0 ? `${changes}, ${words.counts.failed}: ${words.number(failed)}` : changes;
}
