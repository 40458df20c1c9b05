import { Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { isGoing, type Source, type SourceRun, type SourceTrouble } from '../../../api/queries/sources.ts';
import { Clock, Pause } from '../../../icons.ts';
import { Icon } from '../../../parts/icon.tsx';
import { EmptyState } from '../../../parts/states/empty-state.tsx';
import { FaultLine } from '../../../parts/states/fault-line.tsx';
import { TimeAgo } from '../../../parts/time-ago.tsx';
import type { Catalogue } from '../../../texts/english.ts';
import { useTexts } from '../../../texts/texts.tsx';
import { WaitingDocuments } from '../../knowledge/waiting-documents.tsx';
import { RunPill, RunProgress } from '../run-state.tsx';
import { NextRun } from '../sources.tsx';
import { Hold } from './source-hold.tsx';

interface SourceOverviewProps {
  readonly workspace: string;
  readonly source: Source;
  readonly may: boolean;
}

/** A held run, the newest run with its counts, the unreadable items, and the time of the next run. */
export function SourceOverview({ workspace, source, may }: SourceOverviewProps) {
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
      {source.hold !== null && <Hold workspace={workspace} source={source} hold={source.hold} may={may} />}
      {run === null ? (
        <EmptyState icon={Clock} title={words.noRun} text={words.noRunText} />
      ) : (
        <LastRun source={source} run={run} />
      )}
      <WaitingDocuments waiting={source.indexing} />
      <Troubles source={source} />
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
      {source.lastmod_distrust !== null && (
        <Text size="sm" className="p-breaks">
          {words.distrust(source.lastmod_distrust.sample)}
        </Text>
      )}
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
        run.state !== 'held' &&
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
      {run.unlisted > 0 && <Unlisted source={source} count={run.unlisted} />}
    </section>
  );
}

/** Pages that the site links to and does not list: whether they are read is a setting. */
function Unlisted({ source, count }: { readonly source: Source; readonly count: number }) {
  const { texts } = useTexts();
  const words = texts.sources.page;
  return (
    <Text size="sm">
      {words.unlisted(count, source.settings.read_unlisted !== false)}{' '}
      <Link to="." search={{ tab: 'settings' }}>
        {words.unlistedChange}
      </Link>
    </Text>
  );
}

/** Items that are answered from an older reading, or not at all: by reason, with the number, one of them, and what to do. */
function Troubles({ source }: { readonly source: Source }) {
  const { texts } = useTexts();
  const words = texts.sources.troubles;
  if (source.troubles.length === 0) return null;
  return (
    <section className="p-card p-problems" aria-label={words.title}>
      <Title order={2}>{words.title}</Title>
      <Text size="sm" c="var(--p-text-2)">
        {words.text}
      </Text>
      <ul>
        {source.troubles.map((trouble) => (
          <li key={trouble.code}>
            <Text fw={500}>{words.count(trouble.items, words.reasons[reasonOf(trouble)])}</Text>
            <Text size="sm">{words.remedies[trouble.remedy]}</Text>
            <Sample trouble={trouble} />
          </li>
        ))}
      </ul>
      <Link to="." search={{ tab: 'items', state: 'failed' }}>
        {texts.sources.page.showAll}
      </Link>
    </section>
  );
}

function Sample({ trouble: { sample } }: { readonly trouble: SourceTrouble }) {
  const { texts } = useTexts();
  return (
    <details className="p-trouble-sample">
      <summary>{texts.sources.troubles.sample(sample.title ?? sample.url ?? '–')}</summary>
      {sample.url !== null && (
        <Text size="sm" c="var(--p-text-2)" className="p-breaks">
          {sample.url}
        </Text>
      )}
      <Text size="sm" c="var(--p-text-2)" className="p-breaks">
        {sample.reason}
      </Text>
    </details>
  );
}

type Reason = keyof Catalogue['sources']['troubles']['reasons'];

function reasonOf({ code }: SourceTrouble): Reason {
  if (code === 'http_401' || code === 'http_403' || code === 'no_access') return 'refused';
  if (code.startsWith('http_5') || code === 'http_429') return 'faulty';
  if (code === 'timed_out' || code === 'host_unreachable') return 'silent';
  if (code === 'gone' || code === 'gone_for_good') return 'gone';
  if (code === 'empty_page') return 'empty';
  return code === 'too_large' ? 'large' : 'other';
}
