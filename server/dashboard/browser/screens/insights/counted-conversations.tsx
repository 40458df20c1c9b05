import { Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useMay, useWorkspace } from '../../api/queries/workspace.ts';
import { ArrowLeft } from '../../icons.ts';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { Icon } from '../../parts/icon.tsx';
import { MoreButton } from '../../parts/more-button.tsx';
import { Page } from '../../parts/page.tsx';
import { ErrorState } from '../../parts/states/error-state.tsx';
import { NoRight } from '../../parts/states/no-right.tsx';
import { Skeletons } from '../../parts/states/skeletons.tsx';
import { TimeAgo } from '../../parts/time-ago.tsx';
import { type CountedConversation, type CountedKind, countedQuery } from './insight-queries.ts';
import { useInsightWords } from './insight-words.ts';
import { ScopeBar } from './scope-bar.tsx';
import { useFilterNames } from './use-filter-names.ts';
import { useScope } from './use-scope.ts';
import './insights.css';

/** The conversations behind a number of the insights. */
export function CountedConversations() {
  const words = useInsightWords().list;
  const workspace = useWorkspace();
  const may = useMay('inbox:read');
  const { values } = useScope();
  if (workspace === null) return null;
  const { counts: asked = 'ended', ...search } = values;
  const kind = kinds.find((each) => each === asked) ?? 'ended';
  return (
    <Page
      title={words.title}
      intro={
        <span className="p-counted-intro">
          <Link to={`/w/${workspace.id}/insights`} search={search} className="p-back">
            <Icon of={ArrowLeft} size={14} />
            {words.back}
          </Link>
          {words.kinds[kind]}
        </span>
      }
      below={<ScopeBar />}
    >
      {may ? <List workspace={workspace.id} kind={kind} /> : <NoRight detail={words.right} />}
    </Page>
  );
}

const kinds: readonly CountedKind[] = [
  'ended',
  'open',
  'asked',
  'answered',
  'handed_over',
  'replied',
  'solved',
  'thumbs_up',
  'thumbs_down',
  'rating_asked',
  'rated',
  'failed_over',
];

function List({ workspace, kind }: { readonly workspace: string; readonly kind: CountedKind }) {
  const all = useInsightWords();
  const words = all.list;
  const { scope } = useScope();
  const nameOf = useFilterNames();
  const list = useInfiniteQuery(countedQuery(workspace, scope, kind));
  const rows = list.data?.pages.flatMap(({ conversations }) => conversations) ?? [];
  const columns: readonly Column<CountedConversation>[] = [
    { key: 'question', title: words.question, cell: ({ question }) => question || words.noText },
    { key: 'customer', title: words.customer, width: 160, cell: ({ customer }) => customer ?? '–' },
    { key: 'channel', title: words.channel, width: 120, cell: ({ channel }) => nameOf('channel', channel) },
    {
      ...{ key: 'outcome', title: words.outcome, width: 210 },
      cell: ({ outcome }) => (outcome === null ? words.open : nameOf('outcome', outcome)),
    },
    {
      ...{ key: 'ended', title: words.ended, width: 120, align: 'end' },
      cell: ({ ended_at: at }) => <TimeAgo at={at} />,
    },
  ];
  if (list.isPending) return <Skeletons rows={6} />;
  if (list.isError) return <ErrorState error={list.error} onRetry={() => void list.refetch()} />;
  if (rows.length === 0) return <Text c="var(--p-text-2)">{words.none}</Text>;
  return (
    <>
      <DataTable
        label={words.title}
        columns={columns}
        rows={rows}
        rowKey={({ id, ended_at: at }) => `${id} ${at}`}
        rowLink={({ id }) => `/w/${workspace}/inbox/${id}`}
        minWidth={760}
      />
      <MoreButton list={list}>{words.more}</MoreButton>
    </>
  );
}
