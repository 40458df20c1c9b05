import { Button, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useMemo } from 'react';
import { isGoing, type Source, sourcesQuery } from '../../api/queries/sources.ts';
import { useMay, useWorkspace } from '../../api/queries/workspace.ts';
import { Lock, Plus, RefreshCw } from '../../icons.ts';
import { type KeyAction, useKeyActions } from '../../keys/registry.ts';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { Icon } from '../../parts/icon.tsx';
import { Page } from '../../parts/page.tsx';
import { EmptyState } from '../../parts/states/empty-state.tsx';
import { ErrorState } from '../../parts/states/error-state.tsx';
import { Skeletons } from '../../parts/states/skeletons.tsx';
import { TimeAgo } from '../../parts/time-ago.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { KnowledgeTabs } from '../knowledge/knowledge-tabs.tsx';
import { kindName, signOf } from './kinds.tsx';
import { describeResult, SourceState } from './run-state.tsx';
import '../knowledge/knowledge.css';
import './sources.css';

/** The websites and tools that are kept as documents. */
export function Sources() {
  const workspace = useWorkspace();
  return workspace === null ? null : <SourcesOf workspace={workspace.id} key={workspace.id} />;
}

function SourcesOf({ workspace }: { readonly workspace: string }) {
  const { texts } = useTexts();
  const words = texts.sources;
  const may = useMay('knowledge:write');
  const navigate = useNavigate();
  const { data, error, refetch } = useQuery(sourcesQuery(workspace));
  const add = useMemo(
    () => () => void navigate({ to: '/w/$workspace/knowledge/sources/new', params: { workspace } }),
    [navigate, workspace],
  );
  const actions = useMemo<readonly KeyAction[]>(
    () => (may ? [{ id: 'sources-add', name: words.add, keys: 'n', scope: 'here', run: add }] : []),
    [may, words, add],
  );
  useKeyActions(actions);
  const isEmpty = data?.sources.length === 0;
  const button = (
    <Button size="xs" leftSection={<Icon of={Plus} size={14} />} onClick={add}>
      {words.add}
    </Button>
  );
  return (
    <Page
      title={texts.frame.areas.knowledge}
      action={may && !isEmpty && button}
      below={<KnowledgeTabs workspace={workspace} current="sources" count={data?.sources.length ?? 0} />}
    >
      {data === undefined && error === null && <Skeletons rows={4} />}
      {data === undefined && error !== null && (
        <ErrorState error={error} title={words.notLoaded} onRetry={() => void refetch()} />
      )}
      {isEmpty && (
        <EmptyState
          icon={RefreshCw}
          title={may ? words.empty.title : words.empty.noRight}
          text={may ? words.empty.text : words.empty.noRightText}
          {...(may && { action: button })}
        />
      )}
      {data !== undefined && !isEmpty && (
        <>
          {!may && (
            <Text className="p-read-only">
              <Icon of={Lock} size={14} /> {words.readOnly}
            </Text>
          )}
          <SourceTable workspace={workspace} rows={data.sources} />
        </>
      )}
    </Page>
  );
}

function SourceTable({ workspace, rows }: { readonly workspace: string; readonly rows: readonly Source[] }) {
  const { texts } = useTexts();
  const { columns: titles, kinds, number } = texts.sources;
  const columns: readonly Column<Source>[] = [
    {
      key: 'name',
      title: titles.name,
      cell: ({ name, kind }) => (
        <Group gap="sm" wrap="nowrap" className="p-title-cell">
          <Icon of={signOf(kind)} color="var(--p-dim)" />
          <Text span inherit truncate title={name}>
            {name}
          </Text>
        </Group>
      ),
    },
    { key: 'kind', title: titles.kind, width: 150, cell: ({ kind }) => kindName(kind, kinds) },
    {
      key: 'state',
      title: titles.state,
      width: 150,
      cell: (source) => <SourceState source={source} />,
    },
    { key: 'result', title: titles.lastRun, cell: (source) => <Result source={source} /> },
    {
      key: 'documents',
      title: titles.documents,
      align: 'end',
      width: 100,
      cell: ({ documents }) => (documents === 0 ? '–' : number(documents)),
    },
    {
      key: 'next',
      title: titles.nextRun,
      align: 'end',
      width: 130,
      cell: (source) => <NextRun source={source} />,
    },
  ];
  return (
    <DataTable<Source>
      label={texts.sources.title}
      columns={columns}
      rows={rows}
      rowKey={({ id }) => id}
      rowLink={({ id }) => `/w/${workspace}/knowledge/sources/${id}`}
      minWidth={900}
    />
  );
}

/** The result of the newest run, or its progress. */
function Result({ source }: { readonly source: Source }) {
  const { texts } = useTexts();
  const run = source.last_run;
  if (run === null) return '–';
  if (isGoing(source)) return describeResult(run, texts);
  const text = describeResult(run, texts);
  return (
    <Text span inherit truncate title={text} c="var(--p-text-2)" className="p-source-result">
      {text}
    </Text>
  );
}

export function NextRun({ source }: { readonly source: Source }) {
  const { texts } = useTexts();
  if (source.paused) return texts.sources.paused;
  return source.next_run_at === null ? texts.sources.byHand : <TimeAgo at={source.next_run_at} />;
}
