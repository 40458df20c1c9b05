import { Button, Group, Text, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useInfiniteQuery } from '@tanstack/react-query';
import { type Ref, useMemo, useRef, useState } from 'react';
import { useMay, useWorkspace } from '../../../api/queries/workspace.ts';
import { Download, Lock, Plus, Quote, Search } from '../../../icons.ts';
import { type KeyAction, useKeyActions } from '../../../keys/registry.ts';
import { type Column, DataTable } from '../../../parts/data-table.tsx';
import { Icon } from '../../../parts/icon.tsx';
import { MoreButton } from '../../../parts/more-button.tsx';
import { Page } from '../../../parts/page.tsx';
import { StatusPill } from '../../../parts/pills.tsx';
import { EmptyState } from '../../../parts/states/empty-state.tsx';
import { ErrorState } from '../../../parts/states/error-state.tsx';
import { Skeletons } from '../../../parts/states/skeletons.tsx';
import { TimeAgo } from '../../../parts/time-ago.tsx';
import { useTexts } from '../../../texts/texts.tsx';
import { useSearchValues } from '../../use-search-values.ts';
import { KnowledgeTabs } from '../knowledge-tabs.tsx';
import { CuratedEditor } from './curated-editor.tsx';
import { type CuratedAnswer, csvAddress, curatedQuery } from './curated-queries.ts';
import { type CuratedWords, useCuratedWords } from './curated-words.ts';
import { ImportCurated } from './import-curated.tsx';
import '../knowledge.css';
import './curated.css';

/** The answers that people wrote for questions. */
export function Curated() {
  const workspace = useWorkspace();
  return workspace === null ? null : <CuratedOf workspace={workspace.id} key={workspace.id} />;
}

function CuratedOf({ workspace }: { readonly workspace: string }) {
  const { texts } = useTexts();
  const words = useCuratedWords();
  const mayWrite = useMay('knowledge:write');
  const mayStage = useMay('changes:write');
  const may = mayWrite || mayStage;
  const { values, change } = useSearchValues();
  const { q = '', edit = '', gap = '', question = '' } = values;
  const list = useInfiniteQuery(curatedQuery(workspace, q));
  const answers = list.data?.pages.flatMap((page) => page.answers) ?? [];
  const total = list.data?.pages[0]?.total ?? 0;
  const open = (id: string) => void change({ edit: id });
  const field = useRef<HTMLInputElement>(null);
  const actions = useMemo<readonly KeyAction[]>(
    () => [
      {
        id: 'curated-search',
        name: words.search,
        keys: '/',
        scope: 'here',
        run: () => field.current?.focus(),
      },
      ...(may
        ? [
            {
              id: 'curated-add',
              name: words.add,
              keys: 'n',
              scope: 'here' as const,
              run: () => void change({ edit: 'new' }),
            },
          ]
        : []),
    ],
    [words, may, change],
  );
  useKeyActions(actions);
  const newButton = may && (
    <Button leftSection={<Icon of={Plus} />} onClick={() => open('new')}>
      {words.add}
    </Button>
  );
  return (
    <Page
      title={texts.frame.areas.knowledge}
      action={
        <Group gap="sm" justify="flex-end">
          {mayWrite && (
            <span className="p-wide">
              <ImportCurated workspace={workspace} />
            </span>
          )}
          {total > 0 && (
            <Button
              className="p-wide"
              component="a"
              href={csvAddress(workspace)}
              download
              variant="default"
              leftSection={<Icon of={Download} />}
            >
              {words.export}
            </Button>
          )}
          {newButton}
        </Group>
      }
      below={<KnowledgeTabs workspace={workspace} current="curated" count={total} />}
    >
      {list.isPending && <Skeletons rows={6} />}
      {list.isError && (
        <ErrorState error={list.error} title={words.notLoaded} onRetry={() => void list.refetch()} />
      )}
      {list.isSuccess && total === 0 && (
        <EmptyState icon={Quote} title={words.empty.title} text={words.empty.text} action={newButton} />
      )}
      {total > 0 && (
        <>
          <SearchField
            value={q}
            onSearch={(text) => void change({ q: text }, { replace: true })}
            fieldRef={field}
          />
          {!may && (
            <Text className="p-read-only">
              <Icon of={Lock} size={14} /> {words.readOnly}
            </Text>
          )}
          {answers.length > 0 && (
            <div className="p-curated">
              <DataTable
                label={texts.frame.knowledge.curated}
                columns={columnsOf(words)}
                rows={answers}
                rowKey={({ id }) => id}
                rowLink={({ id }) => `/w/${workspace}/knowledge/curated?edit=${id}`}
                minWidth={0}
                rowHeight={52}
              />
            </div>
          )}
          {list.isSuccess && answers.length === 0 && (
            <EmptyState
              icon={Search}
              title={words.noMatch.title}
              action={
                <Button variant="default" onClick={() => void change({ q: '' })}>
                  {words.noMatch.clear}
                </Button>
              }
            />
          )}
          <MoreButton list={list}>{texts.knowledge.more}</MoreButton>
        </>
      )}
      {edit !== '' && (
        <CuratedEditor
          key={`${edit} ${gap}`}
          workspace={workspace}
          id={edit === 'new' ? null : edit}
          gap={gap === '' ? null : gap}
          question={question}
          may={may}
          onClose={() => void change({ edit: '', gap: '', question: '' })}
        />
      )}
    </Page>
  );
}

interface SearchFieldProps {
  readonly value: string;
  readonly onSearch: (text: string) => void;
  readonly fieldRef: Ref<HTMLInputElement>;
}

function SearchField({ value, onSearch, fieldRef }: SearchFieldProps) {
  const words = useCuratedWords();
  const [typed, setTyped] = useState(value);
  const search = useDebouncedCallback(onSearch, 200);
  return (
    <TextInput
      ref={fieldRef}
      className="p-curated-search"
      size="xs"
      type="search"
      leftSection={<Icon of={Search} size={14} />}
      aria-label={words.search}
      placeholder={words.searchHint}
      value={typed}
      onChange={({ currentTarget: { value: text } }) => {
        setTyped(text);
        search(text.trim());
      }}
    />
  );
}

function columnsOf(words: CuratedWords): readonly Column<CuratedAnswer>[] {
  return [
    {
      key: 'question',
      title: words.question,
      cell: (row) => (
        <span className="p-curated-question">
          <span>{row.question}</span>
          <Text span size="xs" c="var(--p-text-2)" truncate>
            {row.action === 'answer' ? row.answer : words.actions[row.action]}
          </Text>
          <span className="p-narrow">
            <State answer={row} />
          </span>
        </span>
      ),
    },
    { key: 'state', title: words.state, width: 190, cell: (row) => <State answer={row} /> },
    {
      key: 'hits',
      title: words.hits,
      hint: words.hitsHint,
      align: 'end',
      width: 130,
      cell: ({ hits }) => (hits === 0 ? '–' : hits),
    },
    {
      key: 'changed',
      title: words.changed,
      align: 'end',
      width: 150,
      cell: ({ updated_at: at, changed_by: name }) => (
        <span className="p-curated-changed">
          <TimeAgo at={at} />
          <Text span size="xs" c="var(--p-text-2)">
            {words.by(name)}
          </Text>
        </span>
      ),
    },
  ];
}

/** Whether an answer is found at all, and by whom. */
function State({ answer }: { readonly answer: CuratedAnswer }) {
  const words = useCuratedWords();
  const { valid_until: until, audience, status } = answer;
  return (
    <span className="p-curated-state">
      {status === 'failed' && <StatusPill tone="red">{words.failed}</StatusPill>}
      {(status === 'queued' || status === 'indexing') && (
        <StatusPill tone="grey">{words.indexing}</StatusPill>
      )}
      {until !== null &&
        (Date.parse(until) <= Date.now() ? (
          <StatusPill tone="amber">{words.over}</StatusPill>
        ) : (
          <Text span size="xs" c="var(--p-text-2)">
            {words.until(until.slice(0, 10))}
          </Text>
        ))}
      {audience.map((tag) => (
        <span key={tag} className="p-tag">
          {tag}
        </span>
      ))}
    </span>
  );
}
