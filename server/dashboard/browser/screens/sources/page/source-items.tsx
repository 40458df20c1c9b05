import { Group, SegmentedControl, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { itemsQuery, type Source, type SourceItem } from '../../../api/queries/sources.ts';
import { Search } from '../../../icons.ts';
import { type Column, DataTable } from '../../../parts/data-table.tsx';
import { Icon } from '../../../parts/icon.tsx';
import { MoreButton } from '../../../parts/more-button.tsx';
import { StatusPill } from '../../../parts/pills.tsx';
import { EmptyState } from '../../../parts/states/empty-state.tsx';
import { ErrorState } from '../../../parts/states/error-state.tsx';
import { Skeletons } from '../../../parts/states/skeletons.tsx';
import { TimeAgo } from '../../../parts/time-ago.tsx';
import { useTexts } from '../../../texts/texts.tsx';
import { useLedgerWords } from '../ledger/ledger-words.ts';

const states = ['current', 'failed', 'skipped', 'gone', 'waiting'] as const;
const tones = { current: 'green', failed: 'red', skipped: 'grey', gone: 'amber', waiting: 'grey' } as const;
const typingMs = 250;

interface SourceItemsProps {
  readonly workspace: string;
  readonly source: Source;
}

/** Every page or file of a source with its state and the reason. The address contains the filter. */
export function SourceItems({ workspace, source }: SourceItemsProps) {
  const { texts } = useTexts();
  const words = texts.sources.items;
  const navigate = useNavigate();
  const search: { readonly state?: string; readonly q?: string } = useSearch({ strict: false });
  const state = states.find((each) => each === search.state);
  const [typed, setTyped] = useState(search.q ?? '');
  const [q] = useDebouncedValue(typed.trim(), typingMs);
  const filters = { ...(state !== undefined && { state }), ...(q !== '' && { q }) };
  const list = useInfiniteQuery(itemsQuery(source, filters));
  const rows = list.data?.pages.flatMap(({ items }) => items) ?? [];
  return (
    <>
      <Group gap="sm" mb="md">
        <TextInput
          size="xs"
          w={240}
          type="search"
          aria-label={words.search}
          placeholder={words.searchHint}
          leftSection={<Icon of={Search} size={14} />}
          value={typed}
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
        />
        <SegmentedControl
          size="xs"
          className="p-item-states"
          aria-label={words.filter}
          value={state ?? ''}
          onChange={(next) =>
            void navigate({
              to: '.',
              search: (before: object) => ({ ...before, state: next }),
              replace: true,
            })
          }
          data={[
            { value: '', label: words.all },
            ...states.map((each) => ({ value: each, label: words.states[each] })),
          ]}
        />
      </Group>
      {list.isPending && <Skeletons rows={8} />}
      {list.error !== null && rows.length === 0 && (
        <ErrorState error={list.error} onRetry={() => void list.refetch()} />
      )}
      {list.isSuccess && rows.length === 0 && (
        <EmptyState icon={Search} title={words.none} text={words.noneText} />
      )}
      {rows.length > 0 && <ItemTable workspace={workspace} source={source.id} rows={rows} />}
      <MoreButton list={list}>{words.more}</MoreButton>
    </>
  );
}

function ItemTable({
  workspace,
  source,
  rows,
}: {
  readonly workspace: string;
  readonly source: string;
  readonly rows: readonly SourceItem[];
}) {
  const { texts } = useTexts();
  const ledgerWords = useLedgerWords();
  const words = texts.sources.items;
  const columns: readonly Column<SourceItem>[] = [
    {
      key: 'title',
      title: words.name,
      cell: ({ key, url, title, code, document_id: document }) => (
        <div className="p-item-name">
          {document === null && code !== 'copy' && code !== 'empty' ? (
            <Text truncate>{title ?? url ?? key}</Text>
          ) : (
            <Link
              to="/w/$workspace/knowledge/sources/$source/page"
              params={{ workspace, source }}
              search={{ key }}
              aria-label={ledgerWords.open(title ?? url ?? key)}
            >
              {title ?? url ?? key}
            </Link>
          )}
          <Text truncate size="xs" c="var(--p-text-2)" title={url ?? key}>
            {url ?? key}
          </Text>
        </div>
      ),
    },
    {
      key: 'state',
      title: words.state,
      width: 130,
      cell: ({ state }) => <StatusPill tone={tones[state]}>{words.states[state]}</StatusPill>,
    },
    {
      key: 'why',
      title: words.why,
      cell: ({ reason }) => (
        <Text span inherit c="var(--p-text-2)" className="p-item-why" title={reason ?? undefined}>
          {reason ?? '–'}
        </Text>
      ),
    },
    {
      key: 'read',
      title: words.read,
      align: 'end',
      width: 120,
      cell: ({ read_at: at }) => (at === null ? '–' : <TimeAgo at={at} />),
    },
  ];
  return (
    <DataTable<SourceItem>
      label={texts.sources.page.items}
      columns={columns}
      rows={rows}
      rowKey={({ key }) => key}
      rowHeight={52}
      minWidth={760}
    />
  );
}
