import { Box, Button, Text } from '@mantine/core';
import { Dropzone } from '@mantine/dropzone';
import {
  type InfiniteData,
  type UseInfiniteQueryResult,
  useInfiniteQuery,
  useQuery,
} from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo, useRef, useState } from 'react';
import { documentCountsQuery, documentsQuery, type ListedDocument } from '../../api/queries/documents.ts';
import { useMay, useWorkspace } from '../../api/queries/workspace.ts';
import { FileUp, Lock, Search } from '../../icons.ts';
import { type KeyAction, useKeyActions } from '../../keys/registry.ts';
import { Icon } from '../../parts/icon.tsx';
import { Page } from '../../parts/page.tsx';
import { EmptyState } from '../../parts/states/empty-state.tsx';
import { ErrorState } from '../../parts/states/error-state.tsx';
import { Skeletons } from '../../parts/states/skeletons.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { AddActions } from './add-actions.tsx';
import { AddDrawer } from './add-drawer.tsx';
import { BulkBar } from './bulk-bar.tsx';
import { DocumentTable } from './document-table.tsx';
import { EmptyKnowledge } from './empty-knowledge.tsx';
import { FailedDocuments } from './failed-documents.tsx';
import { Filters, type Found } from './filters.tsx';
import { KnowledgeTabs } from './knowledge-tabs.tsx';
import { UploadList } from './upload-list.tsx';
import { useUploads } from './use-uploads.ts';
import { WaitingDocuments } from './waiting-documents.tsx';
import './knowledge.css';

/** The documents of a workspace: what answers come from. */
export function Documents() {
  const workspace = useWorkspace();
  return workspace === null ? null : <DocumentsOf workspace={workspace.id} key={workspace.id} />;
}

function DocumentsOf({ workspace }: { readonly workspace: string }) {
  const { texts } = useTexts();
  const words = texts.knowledge;
  const may = useMay('knowledge:write');
  const search: Found = useSearch({ strict: false });
  const navigate = useNavigate();
  const filters = useMemo(() => readFilters(search), [search]);
  const counts = useQuery(documentCountsQuery(workspace));
  const sort = sorts.find((each) => each === search.sort);
  const list = useInfiniteQuery(documentsQuery(workspace, { ...filters, ...(sort && { sort }) }));
  const rows = useMemo(() => list.data?.pages.flatMap(({ documents }) => documents) ?? [], [list.data]);
  const [picked, setPicked] = useState<ReadonlySet<string>>(new Set());
  const shown = useMemo(() => rows.filter(({ id }) => picked.has(id)), [rows, picked]);
  const uploads = useUploads(workspace);
  const chooseFiles = useRef<() => void>(() => {});
  const searchField = useRef<HTMLInputElement>(null);
  const isFiltered = Object.keys(filters).length > 0;
  const failedCount = counts.data?.statuses.failed ?? 0;
  const isEmpty = counts.data?.documents === 0 && !isFiltered;
  const patch = (change: Found) =>
    void navigate({ to: '.', search: (before: object) => ({ ...before, ...change }), replace: true });

  const actions = useMemo<readonly KeyAction[]>(() => {
    const here = { scope: 'here' as const };
    const toggleFocused = () => {
      const id = window.document.activeElement?.closest('tr')?.getAttribute('data-key');
      if (id != null) setPicked((before) => toggle(before, id));
    };
    return [
      {
        id: 'documents-search',
        name: words.keys.search,
        keys: '/',
        ...here,
        run: () => searchField.current?.focus(),
      },
      ...(may
        ? [
            {
              id: 'documents-add',
              name: words.keys.add,
              keys: 'n',
              ...here,
              run: () => chooseFiles.current(),
            },
            { id: 'documents-pick', name: words.keys.pick, keys: 'x', ...here, run: toggleFocused },
          ]
        : []),
    ];
  }, [words, may]);
  useKeyActions(actions);

  return (
    <Page
      title={texts.frame.areas.knowledge}
      action={
        may && (
          <AddActions
            onFiles={uploads.add}
            onOpen={(add) => patch({ add })}
            chooseFiles={chooseFiles}
            quiet={isEmpty}
          />
        )
      }
      below={<KnowledgeTabs workspace={workspace} current="documents" count={counts.data?.documents ?? 0} />}
    >
      {may && (
        <Dropzone.FullScreen
          active
          onDrop={uploads.add}
          className="p-drop-screen"
          {...{ 'aria-label': words.dropNow }}
        >
          <Box className="p-drop-now">
            <Icon of={FileUp} size={32} />
            <Text fz={18} fw={600}>
              {words.dropNow}
            </Text>
          </Box>
        </Dropzone.FullScreen>
      )}
      <UploadList uploads={uploads.list} onDismiss={uploads.dismiss} />
      {isEmpty ? (
        <EmptyKnowledge
          workspace={workspace}
          may={may}
          onChoose={() => chooseFiles.current()}
          onOpen={(add) => patch({ add })}
        />
      ) : (
        <>
          <Filters
            workspace={workspace}
            found={search}
            counts={counts.data}
            onChange={patch}
            fieldRef={searchField}
          />
          <WaitingDocuments waiting={counts.data?.waiting} />
          {!may && (
            <Text className="p-read-only">
              <Icon of={Lock} size={14} /> {words.readOnly}
            </Text>
          )}
          {!isFiltered && failedCount > 0 && (
            <FailedDocuments workspace={workspace} count={failedCount} shown={shownFailures} may={may} />
          )}
          <DocumentList
            workspace={workspace}
            list={list}
            rows={!isFiltered && failedCount <= shownFailures ? rows.filter(hasNotFailed) : rows}
            isFiltered={isFiltered}
            sort={sort}
            onSort={(next) => patch({ sort: next ?? '' })}
            picked={picked}
            onPick={may ? setPicked : null}
            onClear={() => patch({ q: '', status: '', audience: '' })}
          />
          {may && rows.length > 0 && (
            <Text className="p-drop-hint">
              <Icon of={FileUp} /> {words.dropAnywhere}
            </Text>
          )}
        </>
      )}
      {shown.length > 0 && (
        <BulkBar workspace={workspace} documents={shown} onDone={() => setPicked(new Set())} />
      )}
      {may && <AddDrawer workspace={workspace} kind={search.add} onClose={() => patch({ add: '' })} />}
    </Page>
  );
}

/** Failures that stand above the list. With more of them, all are rows as well. */
const shownFailures = 3;

const hasNotFailed = ({ status }: ListedDocument) => status !== 'failed';

interface DocumentListProps {
  readonly workspace: string;
  readonly list: Pick<
    UseInfiniteQueryResult<InfiniteData<{ readonly documents: readonly ListedDocument[] }>>,
    'isPending' | 'error' | 'refetch' | 'hasNextPage' | 'isFetchingNextPage' | 'fetchNextPage'
  >;
  readonly rows: readonly ListedDocument[];
  readonly sort: (typeof sorts)[number] | undefined;
  readonly onSort: (sort: (typeof sorts)[number] | undefined) => void;
  readonly isFiltered: boolean;
  readonly picked: ReadonlySet<string>;
  readonly onPick: ((picked: ReadonlySet<string>) => void) | null;
  readonly onClear: () => void;
}

function DocumentList({
  workspace,
  list,
  rows,
  isFiltered,
  sort,
  onSort,
  picked,
  onPick,
  onClear,
}: DocumentListProps) {
  const { texts } = useTexts();
  const words = texts.knowledge;
  if (list.isPending) return <Skeletons rows={8} />;
  if (rows.length === 0) {
    if (list.error !== null) {
      return <ErrorState error={list.error} title={words.notLoaded} onRetry={() => void list.refetch()} />;
    }
    if (!isFiltered) return null;
    const clear = (
      <Button variant="default" onClick={onClear}>
        {words.noMatch.clear}
      </Button>
    );
    return <EmptyState icon={Search} title={words.noMatch.title} text={words.noMatch.text} action={clear} />;
  }
  return (
    <>
      <DocumentTable {...{ workspace, rows, sort, onSort, picked, onPick }} />
      {list.hasNextPage && (
        <Button
          variant="default"
          mt="md"
          mx="auto"
          loading={list.isFetchingNextPage}
          onClick={() => void list.fetchNextPage()}
        >
          {words.more}
        </Button>
      )}
    </>
  );
}

function toggle(before: ReadonlySet<string>, id: string): ReadonlySet<string> {
  const after = new Set(before);
  if (!after.delete(id)) after.add(id);
  return after;
}

const sorts = ['answers', 'disliked'] as const;
const statuses = ['queued', 'indexing', 'indexed', 'failed'] as const;

/** The filters of the address. Empty and unknown values are left out. */
function readFilters({ q, status, audience }: Found) {
  const known = statuses.find((each) => each === status);
  return {
    ...(q !== undefined && q !== '' && { q }),
    ...(known !== undefined && { status: known }),
    ...(audience !== undefined && audience !== '' && { audience }),
  };
}
