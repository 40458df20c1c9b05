import { Button, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { toProblem } from '../../../api/problem.ts';
import { useMay, useWorkspace } from '../../../api/queries/workspace.ts';
import { Check, CircleDashed, NotebookPen, Plus, Undo2 } from '../../../icons.ts';
import { type Column, DataTable } from '../../../parts/data-table.tsx';
import { Icon } from '../../../parts/icon.tsx';
import { Page } from '../../../parts/page.tsx';
import { StatusPill } from '../../../parts/pills.tsx';
import { EmptyState } from '../../../parts/states/empty-state.tsx';
import { ErrorState } from '../../../parts/states/error-state.tsx';
import { FaultLine } from '../../../parts/states/fault-line.tsx';
import { Skeletons } from '../../../parts/states/skeletons.tsx';
import { TimeAgo } from '../../../parts/time-ago.tsx';
import { useTexts } from '../../../texts/texts.tsx';
import { KnowledgeTabs } from '../knowledge-tabs.tsx';
import { type ListedChangeSet, setsQuery, useStage } from './change-queries.ts';
import { useChangeWords } from './change-words.ts';
import '../knowledge.css';
import './changes.css';

/** The change sets of a workspace. */
export function Changes() {
  const workspace = useWorkspace();
  return workspace === null ? null : <ChangesOf workspace={workspace.id} key={workspace.id} />;
}

function ChangesOf({ workspace }: { readonly workspace: string }) {
  const { texts, locale } = useTexts();
  const words = useChangeWords();
  const may = useMay('changes:write');
  const navigate = useNavigate();
  const { data, error, refetch } = useQuery(setsQuery(workspace));
  const stage = useStage(workspace);
  const begin = () =>
    stage.mutate(
      { change: null, name: words.newName(new Date().toLocaleDateString(locale, { dateStyle: 'medium' })) },
      {
        onSuccess: (set) =>
          void navigate({ to: '/w/$workspace/knowledge/changes/$set', params: { workspace, set } }),
      },
    );
  const sets = data?.change_sets ?? [];
  const isEmpty = data !== undefined && sets.length === 0;
  const button = (
    <Button size="xs" leftSection={<Icon of={Plus} size={14} />} loading={stage.isPending} onClick={begin}>
      {words.newSet}
    </Button>
  );
  return (
    <Page
      title={texts.frame.areas.knowledge}
      action={may && !isEmpty && button}
      below={<KnowledgeTabs workspace={workspace} current="changes" count={sets.length} />}
    >
      {stage.isError && <FaultLine>{toProblem(stage.error).message}</FaultLine>}
      {data === undefined && error === null && <Skeletons rows={4} />}
      {data === undefined && error !== null && (
        <ErrorState error={error} title={words.notLoaded} onRetry={() => void refetch()} />
      )}
      {isEmpty && (
        <EmptyState
          icon={NotebookPen}
          title={words.empty.title}
          text={may ? words.empty.text : words.empty.noRight}
          {...(may && { action: button })}
        />
      )}
      {sets.length > 0 && <SetTable workspace={workspace} rows={sets} />}
    </Page>
  );
}

const looks = {
  staged: { tone: 'amber', icon: CircleDashed },
  published: { tone: 'green', icon: Check },
  undone: { tone: 'grey', icon: Undo2 },
} as const;

/** The state of a set: a sign and a word. */
export function SetState({ state }: Pick<ListedChangeSet, 'state'>) {
  const words = useChangeWords();
  return (
    <StatusPill tone={looks[state].tone} icon={looks[state].icon}>
      {words.states[state]}
    </StatusPill>
  );
}

function SetTable({
  workspace,
  rows,
}: {
  readonly workspace: string;
  readonly rows: readonly ListedChangeSet[];
}) {
  const words = useChangeWords();
  const columns: readonly Column<ListedChangeSet>[] = [
    {
      key: 'name',
      title: words.columns.name,
      cell: ({ name }) => (
        <Text span inherit truncate title={name}>
          {name}
        </Text>
      ),
    },
    { key: 'state', title: words.columns.state, width: 240, cell: ({ state }) => <SetState state={state} /> },
    {
      key: 'changes',
      title: words.columns.changes,
      align: 'end',
      width: 110,
      cell: ({ changes }) => changes,
    },
    { key: 'by', title: words.columns.by, width: 160, cell: ({ created_by: by }) => by },
    {
      key: 'at',
      title: words.columns.at,
      align: 'end',
      width: 130,
      cell: ({ created_at: at }) => <TimeAgo at={at} />,
    },
  ];
  return (
    <DataTable<ListedChangeSet>
      label={words.title}
      columns={columns}
      rows={rows}
      rowKey={({ id }) => id}
      rowLink={({ id }) => `/w/${workspace}/knowledge/changes/${id}`}
      minWidth={760}
    />
  );
}
