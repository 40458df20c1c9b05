import { Button, SegmentedControl, Text, Title } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams, useSearch } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { toProblem } from '../../../api/problem.ts';
import { sourceQuery } from '../../../api/queries/sources.ts';
import { useMay, useWorkspace } from '../../../api/queries/workspace.ts';
import { ArrowLeft, ExternalLink, FileText, Lock, RefreshCw } from '../../../icons.ts';
import { Icon } from '../../../parts/icon.tsx';
import { Page } from '../../../parts/page.tsx';
import { EmptyState } from '../../../parts/states/empty-state.tsx';
import { ErrorState } from '../../../parts/states/error-state.tsx';
import { Skeletons } from '../../../parts/states/skeletons.tsx';
import { TimeAgo } from '../../../parts/time-ago.tsx';
import { useTexts } from '../../../texts/texts.tsx';
import { SourceAge } from '../source-age.tsx';
import { Answers } from './answers.tsx';
import { Block, groupBlocks, keyedBlocks } from './blocks.tsx';
import { Kept } from './kept.tsx';
import { type LedgerBlock, type Ledger as LedgerOf, ledgerQuery, useReadAgain } from './ledger-queries.ts';
import { useLedgerWords } from './ledger-words.ts';
import '../../knowledge/knowledge.css';
import './ledger.css';

/** The ledger of one page: as a visitor sees it, as it was kept, and the answers that used it. */
export function Ledger() {
  const words = useLedgerWords();
  const workspace = useWorkspace();
  const { source } = useParams({ strict: false });
  const { key }: { readonly key?: string } = useSearch({ strict: false });
  if (workspace === null || source === undefined) return null;
  if (key === undefined) return <Page title={words.title}>{null}</Page>;
  return <Loaded workspace={workspace.id} source={source} itemKey={key} key={key} />;
}

interface LoadedProps {
  readonly workspace: string;
  readonly source: string;
  readonly itemKey: string;
}

function Loaded({ workspace, source, itemKey }: LoadedProps) {
  const { texts } = useTexts();
  const { data: ledger, error, refetch } = useQuery(ledgerQuery({ workspace, source }, itemKey));
  const may = useMay('knowledge:write');
  const { data: around } = useQuery(sourceQuery({ workspace, source }));
  return (
    <Page
      title={ledger?.title ?? itemKey}
      intro={
        <span className="p-head-facts">
          <Link
            to="/w/$workspace/knowledge/sources/$source"
            params={{ workspace, source }}
            search={{ tab: 'items' }}
            className="p-back"
          >
            <Icon of={ArrowLeft} size={14} />
            {around?.name ?? texts.sources.title}
          </Link>
          {around !== undefined && <SourceAge source={around} />}
        </span>
      }
      action={
        ledger !== undefined && (
          <>
            {may && <ReadAgain workspace={workspace} source={source} itemKey={itemKey} />}
            <OpenDocument workspace={workspace} ledger={ledger} />
          </>
        )
      }
    >
      {ledger !== undefined ? (
        <Columns workspace={workspace} source={source} ledger={ledger} />
      ) : error === null ? (
        <Skeletons rows={8} />
      ) : (
        <ErrorState error={error} onRetry={() => void refetch()} />
      )}
    </Page>
  );
}

function ReadAgain({ workspace, source, itemKey }: LoadedProps) {
  const words = useLedgerWords();
  const read = useReadAgain({ workspace, source });
  const ask = () =>
    read.mutate(itemKey, {
      onSuccess: ({ left_out: [refused] }) =>
        notifications.show({
          message: refused === undefined ? words.reading : words.refused[refused.code],
          role: refused === undefined ? 'status' : 'alert',
          ...(refused !== undefined && { color: 'red' }),
        }),
      onError: (error) =>
        notifications.show({ message: toProblem(error).message, color: 'red', role: 'alert' }),
    });
  return (
    <Button
      size="xs"
      variant="default"
      leftSection={<Icon of={RefreshCw} size={14} />}
      loading={read.isPending}
      onClick={ask}
    >
      <span className="p-wide">{words.readAgain}</span>
    </Button>
  );
}

function OpenDocument({ workspace, ledger }: { readonly workspace: string; readonly ledger: LedgerOf }) {
  const words = useLedgerWords();
  const { document_id: document } = ledger;
  if (document === null) return null;
  return (
    <Button
      size="xs"
      variant="default"
      leftSection={<Icon of={FileText} size={14} />}
      renderRoot={(props) => (
        <Link to="/w/$workspace/knowledge/documents/$document" params={{ workspace, document }} {...props} />
      )}
    >
      <span className="p-wide">{words.openDocument}</span>
    </Button>
  );
}

const columns = ['seen', 'kept', 'answers'] as const;
type ColumnName = (typeof columns)[number];

interface ColumnsProps {
  readonly workspace: string;
  readonly source: string;
  readonly ledger: LedgerOf;
}

function Columns({ workspace, source, ledger }: ColumnsProps) {
  const words = useLedgerWords();
  const may = useMay('knowledge:write');
  const [shown, setShown] = useState<ColumnName>('kept');
  const [selected, setSelected] = useState<string | null>(null);
  const { blocks, answers } = ledger;
  const used = answers?.latest.find(({ message_id: id }) => id === selected)?.passages ?? [];
  const cut = blocks?.filter(({ kept }) => !kept).length ?? 0;
  return (
    <div className="p-ledger" data-shown={shown}>
      <Dates ledger={ledger} />
      <SegmentedControl
        className="p-ledger-tabs"
        size="xs"
        fullWidth
        aria-label={words.title}
        value={shown}
        onChange={(value) => setShown(columns.find((name) => name === value) ?? 'kept')}
        data={columns.map((value) => ({ value, label: words.columns[value] }))}
      />
      <div className="p-ledger-columns">
        <Column name="seen" note={<TimeAgo at={ledger.fetched_at} />}>
          <div className="p-seen">
            <Address ledger={ledger} />
            {blocks === null ? (
              <NotStored />
            ) : (
              <div className="p-seen-blocks">
                {groupBlocks(keyedBlocks(blocks), areLinks).map((group) => (
                  <div key={group[0].id} {...(group.length > 1 && { className: 'p-seen-links' })}>
                    {group.map(({ id, block }) => (
                      <Block key={id} block={block} />
                    ))}
                  </div>
                ))}
              </div>
            )}
          </div>
        </Column>
        <Column name="kept" note={words.keptNote(ledger.passages, cut)}>
          {blocks === null ? <NotStored /> : <Kept {...{ workspace, source, ledger, blocks, used, may }} />}
        </Column>
        <Column
          name="answers"
          note={answers === null ? '' : words.answersNote(Math.max(answers.count, answers.latest.length))}
        >
          <Answers
            {...{ workspace, answers, selected }}
            hasDocument={ledger.document_id !== null}
            onSelect={setSelected}
          />
        </Column>
      </div>
    </div>
  );
}

/** A menu stands in a line. */
const areLinks = (one: LedgerBlock, other: LedgerBlock): boolean =>
  one.kind === 'links' && other.kind === 'links';

interface ColumnProps {
  readonly name: ColumnName;
  readonly note: ReactNode;
  readonly children: ReactNode;
}

function Column({ name, note, children }: ColumnProps) {
  const words = useLedgerWords();
  return (
    <section className="p-ledger-column" data-column={name} aria-label={words.columns[name]}>
      <header>
        <Title order={2}>{words.columns[name]}</Title>
        <Text span size="xs" c="var(--p-text-2)">
          {note}
        </Text>
      </header>
      {children}
    </section>
  );
}

function Address({ ledger: { url } }: { readonly ledger: LedgerOf }) {
  const words = useLedgerWords();
  if (url === null) return null;
  return (
    <a className="p-seen-address" href={url} target="_blank" rel="noreferrer noopener">
      <Icon of={Lock} size={12} />
      <span>{url.replace(/^https?:\/\//, '')}</span>
      <Icon of={ExternalLink} size={12} />
      <span className="p-visually-hidden">{words.openPage}</span>
    </a>
  );
}

function NotStored() {
  const words = useLedgerWords();
  return <EmptyState icon={FileText} title={words.notStored} text={words.notStoredText} />;
}

/** When each step was done, and what is still to be done. */
function Dates({ ledger }: { readonly ledger: LedgerOf }) {
  const words = useLedgerWords();
  const dates = { fetched: ledger.fetched_at, checked: ledger.checked_at, cut: ledger.cut_at } as const;
  return (
    <div className="p-ledger-dates">
      {(['fetched', 'checked', 'cut'] as const).map(
        (name) =>
          dates[name] !== null && (
            <span key={name}>
              {words.dates[name]} <TimeAgo at={dates[name]} />
            </span>
          ),
      )}
      {ledger.indexed_at !== null && (
        <span>
          {words.dates.indexed} <TimeAgo at={ledger.indexed_at} />
        </span>
      )}
      <span role="status">{ledger.cut_now ? words.answered[ledger.answered] : words.cuttingSoon}</span>
      {ledger.reason !== null && <span className="p-breaks">{ledger.reason}</span>}
    </div>
  );
}
