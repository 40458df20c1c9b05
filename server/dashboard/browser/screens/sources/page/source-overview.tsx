import { Text, Title } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { isGoing, itemsQuery, type Source, type SourceRun } from '../../../api/queries/sources.ts';
import { Clock, Pause } from '../../../icons.ts';
import { Icon } from '../../../parts/icon.tsx';
import { EmptyState } from '../../../parts/states/empty-state.tsx';
import { FaultLine } from '../../../parts/states/fault-line.tsx';
import { TimeAgo } from '../../../parts/time-ago.tsx';
import { useTexts } from '../../../texts/texts.tsx';
import { RunPill, RunProgress } from '../run-state.tsx';
import { NextRun } from '../sources.tsx';

/** The newest run with its counts, what could not be read, and when the next one is. */
export function SourceOverview({ source }: { readonly source: Source }) {
  const { texts } = useTexts();
  const words = texts.sources.page;
  const run = source.last_run;
  return (
    <div className="p-source-overview">
      {source.paused && (
        <Text className="p-read-only">
          <Icon of={Pause} size={14} /> {words.pausedText}
        </Text>
      )}
      {run === null ? (
        <EmptyState icon={Clock} title={words.noRun} text={words.noRunText} />
      ) : (
        <LastRun source={source} run={run} />
      )}
      <Problems source={source} />
      <dl className="p-source-facts">
        <div>
          <dt>{words.next}</dt>
          <dd>
            <NextRun source={source} />
          </dd>
        </div>
        <div>
          <dt>{words.documents}</dt>
          <dd>{texts.sources.number(source.documents)}</dd>
        </div>
        <div>
          <dt>{words.added}</dt>
          <dd>
            <TimeAgo at={source.created_at} />
          </dd>
        </div>
      </dl>
      <Text size="sm" c="var(--p-text-2)">
        {words.removeNote}
      </Text>
    </div>
  );
}

const shownCounts = ['added', 'changed', 'unchanged', 'removed', 'gone', 'skipped', 'failed'] as const;

function LastRun({ source, run }: { readonly source: Source; readonly run: SourceRun }) {
  const { texts } = useTexts();
  const words = texts.sources;
  return (
    <section className="p-card p-last-run" aria-label={words.page.lastRun}>
      <header>
        <Title order={2}>{words.page.lastRun}</Title>
        <RunPill run={run} />
        <Text span c="var(--p-text-2)" size="sm">
          <TimeAgo at={run.finished_at ?? run.started_at ?? run.created_at} />
        </Text>
      </header>
      {isGoing(source) && <RunProgress run={run} />}
      {!isGoing(source) &&
        run.reason !== null &&
        (run.state === 'failed' ? (
          <FaultLine>{run.reason}</FaultLine>
        ) : (
          <Text size="sm" c="var(--p-text-2)">
            {run.reason}
          </Text>
        ))}
      <dl className="p-run-counts">
        {shownCounts.map((name) => (
          <div key={name} data-count={name} {...(run.counts[name] > 0 && { 'data-some': true })}>
            <dt>{words.counts[name]}</dt>
            <dd className="p-numbers">{words.number(run.counts[name])}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

const shownProblems = 5;

function Problems({ source }: { readonly source: Source }) {
  const { texts } = useTexts();
  const words = texts.sources.page;
  const failed = source.last_run?.counts.failed ?? 0;
  const { data } = useInfiniteQuery({
    ...itemsQuery(source, { state: 'failed' }),
    enabled: failed > 0,
  });
  const items = data?.pages[0]?.items ?? [];
  if (failed === 0 || items.length === 0) return null;
  return (
    <section className="p-card p-problems" aria-label={words.problems}>
      <Title order={2}>{words.problems}</Title>
      <Text size="sm" c="var(--p-text-2)">
        {words.problemsText}
      </Text>
      <ul>
        {items.slice(0, shownProblems).map(({ key, url, title, reason }) => (
          <li key={key}>
            <Text truncate title={url ?? key} fw={500}>
              {title ?? url ?? key}
            </Text>
            <Text size="sm" c="var(--p-text-2)">
              {reason}
            </Text>
          </li>
        ))}
      </ul>
      {items.length > shownProblems && (
        <Link to="." search={{ tab: 'items', state: 'failed' }}>
          {words.showAll}
        </Link>
      )}
    </section>
  );
}
