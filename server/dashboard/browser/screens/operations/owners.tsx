import { Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Building2, Search } from '../../icons.ts';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { Icon } from '../../parts/icon.tsx';
import { MoreButton } from '../../parts/more-button.tsx';
import { EmptyState } from '../../parts/states/empty-state.tsx';
import { ErrorState } from '../../parts/states/error-state.tsx';
import { Skeletons } from '../../parts/states/skeletons.tsx';
import { TimeAgo } from '../../parts/time-ago.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { useSearchValues } from '../use-search-values.ts';
import { allWorkspacesQuery, type InstallationWorkspace, installationQuery } from './operations-queries.ts';
import { useOperationsWords } from './operations-words.ts';

const TYPING_MS = 250;
const ALMOST = 0.9;

/** Every workspace of every owner, with what it uses and none of its contents. */
export function Owners() {
  const words = useOperationsWords().owners;
  const { values, change } = useSearchValues();
  const [typed, setTyped] = useState(values.search ?? '');
  const [search] = useDebouncedValue(typed.trim(), TYPING_MS);
  const { data: installation } = useQuery(installationQuery);
  const list = useInfiniteQuery(allWorkspacesQuery(search));
  const rows = list.data?.pages.flatMap(({ workspaces }) => workspaces) ?? [];
  return (
    <>
      <div className="p-operations-head">
        <TextInput
          type="search"
          aria-label={words.search}
          placeholder={words.search}
          className="p-operations-search"
          leftSection={<Icon of={Search} />}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          onBlur={() => void change({ search: typed.trim() }, { replace: true })}
        />
        {installation !== undefined && (
          <Text size="sm" c="dimmed" role="status">
            {words.total(installation.workspaces, installation.owners)}
          </Text>
        )}
      </div>
      {list.isPending && <Skeletons rows={8} />}
      {list.isError && <ErrorState error={list.error} onRetry={() => void list.refetch()} />}
      {list.isSuccess && rows.length === 0 && (
        <EmptyState icon={Building2} title={words.none} text={words.noneText} />
      )}
      {rows.length > 0 && <WorkspaceTable rows={rows} />}
      <MoreButton list={list}>{words.more}</MoreButton>
    </>
  );
}

function WorkspaceTable({ rows }: { readonly rows: readonly InstallationWorkspace[] }) {
  const { locale } = useTexts();
  const words = useOperationsWords().owners;
  const number = new Intl.NumberFormat(locale);
  const columns: readonly Column<InstallationWorkspace>[] = [
    {
      key: 'workspace',
      title: words.workspace,
      cell: ({ name, id }) => (
        <span className="p-two-lines">
          <span>{name}</span>
          <span className="p-mono">{id}</span>
        </span>
      ),
    },
    { key: 'owner', title: words.owner, cell: ({ owner }) => <span className="p-mono">{owner}</span> },
    { key: 'plan', title: words.plan, cell: ({ plan }) => plan },
    {
      key: 'messages',
      title: words.messages,
      align: 'end',
      cell: ({ owner_messages: used, owner_limit: limit }) => (
        <span className="p-used-of" data-full={limit !== null && used > limit * ALMOST}>
          {words.ofLimit(used, limit)}
        </span>
      ),
    },
    {
      key: 'documents',
      title: words.documents,
      align: 'end',
      cell: ({ documents }) => number.format(documents),
    },
    { key: 'channels', title: words.channels, align: 'end', cell: ({ channels }) => number.format(channels) },
    { key: 'members', title: words.members, align: 'end', cell: ({ members }) => number.format(members) },
    { key: 'last', title: words.last, align: 'end', cell: ({ last_message_at: at }) => <TimeAgo at={at} /> },
  ];
  return (
    <div>
      <DataTable
        label={words.workspace}
        columns={columns}
        rows={rows}
        rowKey={({ id }) => id}
        rowHeight={52}
        minWidth={0}
      />
    </div>
  );
}
