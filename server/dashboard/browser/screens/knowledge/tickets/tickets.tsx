import { Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { toProblem } from '../../../api/problem.ts';
import { useMay, useWorkspace } from '../../../api/queries/workspace.ts';
import { Check, FileUp, Lock } from '../../../icons.ts';
import { Icon } from '../../../parts/icon.tsx';
import { Page } from '../../../parts/page.tsx';
import { StatusPill } from '../../../parts/pills.tsx';
import { EmptyState } from '../../../parts/states/empty-state.tsx';
import { ErrorState } from '../../../parts/states/error-state.tsx';
import { Skeletons } from '../../../parts/states/skeletons.tsx';
import { TimeAgo } from '../../../parts/time-ago.tsx';
import { useTexts } from '../../../texts/texts.tsx';
import { KnowledgeTabs } from '../knowledge-tabs.tsx';
import { DeleteImport } from './delete-import.tsx';
import { ImportProgress } from './import-progress.tsx';
import { ImportReport } from './import-report.tsx';
import {
  importQuery,
  importsQuery,
  isGoing,
  type ReportedImport,
  type TicketImport,
} from './tickets-queries.ts';
import { useTicketsWords } from './tickets-words.ts';
import { UploadExport } from './upload-export.tsx';
import '../knowledge.css';
import './tickets.css';

/** Tickets of another help desk, answered on trial with today's documents. */
export function Tickets() {
  const workspace = useWorkspace();
  return workspace === null ? null : <TicketsOf workspace={workspace.id} key={workspace.id} />;
}

function TicketsOf({ workspace }: { readonly workspace: string }) {
  const { texts } = useTexts();
  const words = useTicketsWords();
  const may = useMay('knowledge:write');
  const search: { readonly import?: string } = useSearch({ strict: false });
  const list = useQuery(importsQuery(workspace));
  const imports = list.data?.imports ?? [];
  const chosen = imports.find(({ id }) => id === search.import) ?? imports[0];
  const upload = may && <UploadExport workspace={workspace} isBusy={imports.some(isGoing)} />;
  return (
    <Page
      title={texts.frame.areas.knowledge}
      action={chosen !== undefined && upload}
      below={<KnowledgeTabs workspace={workspace} current="tickets" count={imports.length} />}
    >
      {list.isPending && <Skeletons rows={4} height={64} />}
      {list.isError && (
        <ErrorState error={list.error} title={words.notLoaded} onRetry={() => void list.refetch()} />
      )}
      {list.isSuccess && chosen === undefined && (
        <EmptyState icon={FileUp} title={words.empty.title} text={words.empty.text} action={upload} />
      )}
      {chosen !== undefined && (
        <div className="p-tickets">
          <ImportList imports={imports} chosen={chosen} />
          <Import workspace={workspace} id={chosen.id} may={may} key={chosen.id} />
        </div>
      )}
    </Page>
  );
}

interface ImportListProps {
  readonly imports: readonly TicketImport[];
  readonly chosen: TicketImport;
}

/** The imports to choose from; nothing while there is only one. */
function ImportList({ imports, chosen }: ImportListProps) {
  const words = useTicketsWords();
  if (imports.length < 2) return null;
  return (
    <nav className="p-ticket-imports" aria-label={words.imports}>
      {imports.map((one) => (
        <Link
          key={one.id}
          to="."
          search={{ import: one.id }}
          {...(one.id === chosen.id && { 'aria-current': 'page' as const })}
        >
          {one.file_name || words.unknownFormat}
          <Text span size="xs" c="var(--p-text-2)">
            <TimeAgo at={one.created_at} />
          </Text>
        </Link>
      ))}
    </nav>
  );
}

interface ImportProps {
  readonly workspace: string;
  readonly id: string;
  readonly may: boolean;
}

function Import({ workspace, id, may }: ImportProps) {
  const words = useTicketsWords();
  const { data: shown, error, refetch } = useQuery(importQuery({ workspace, id }));
  if (shown === undefined) {
    return error === null ? (
      <Skeletons rows={4} height={64} />
    ) : (
      <ErrorState error={toProblem(error)} title={words.notLoaded} onRetry={() => void refetch()} />
    );
  }
  return (
    <>
      <ImportHead workspace={workspace} shown={shown} may={may} />
      {isGoing(shown) && <ImportProgress workspace={workspace} shown={shown} may={may} />}
      {shown.failure !== null && (
        <Text role="alert" c="var(--p-red)">
          {words.failures[shown.failure]}
        </Text>
      )}
      {shown.report.questions > 0 && <ImportReport workspace={workspace} shown={shown} may={may} />}
      <LeftOut shown={shown} />
    </>
  );
}

interface ImportHeadProps {
  readonly workspace: string;
  readonly shown: ReportedImport;
  readonly may: boolean;
}

function ImportHead({ workspace, shown, may }: ImportHeadProps) {
  const words = useTicketsWords();
  const format = shown.format === null ? words.unknownFormat : words.formats[shown.format];
  const isDone = shown.state === 'finished';
  return (
    <Group justify="space-between" gap="sm">
      <Group gap="sm">
        <StatusPill
          tone={isDone ? 'green' : shown.state === 'failed' ? 'red' : 'grey'}
          {...(isDone && { icon: Check })}
        >
          {words.states[shown.state]}
        </StatusPill>
        <Text size="sm" c="var(--p-text-2)" className="p-breaks">
          {words.facts(format, shown.file_name)}
        </Text>
      </Group>
      <Group gap="sm">
        <Text size="sm" c="var(--p-text-2)" className="p-ticket-sign">
          <Icon of={Lock} size={14} />
          {words.nothingSent}
        </Text>
        {may && <DeleteImport workspace={workspace} id={shown.id} />}
      </Group>
    </Group>
  );
}

/** The records of the file that are no tickets, by reason. */
function LeftOut({
  shown: { left_out: reasons, left_out_examples: examples },
}: {
  readonly shown: ReportedImport;
}) {
  const words = useTicketsWords();
  const count = reasons.reduce((sum, each) => sum + each.count, 0);
  if (count === 0) return null;
  return (
    <details className="p-card p-ticket-left-out">
      <summary>{words.leftOut(count)}</summary>
      <ul>
        {reasons.map((each) => (
          <li key={each.reason}>
            <b className="p-numbers">{words.count(each.count)}</b> {words.reasons[each.reason]}
          </li>
        ))}
      </ul>
      <Text size="xs" c="var(--p-text-2)">
        {words.examples}
      </Text>
      <ul>
        {examples.map(({ record, reason }) => (
          <li key={`${record} ${reason}`}>{words.record(record, words.reasons[reason])}</li>
        ))}
      </ul>
    </details>
  );
}
