import { Button, Group } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import {
  type AuditEntry,
  type AuditFilter,
  auditExportAddress,
  auditQuery,
} from '../../api/queries/audit.ts';
import { membersQuery } from '../../api/queries/members.ts';
import { useMay, useWorkspace } from '../../api/queries/workspace.ts';
import { Clock, Download } from '../../icons.ts';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { Icon } from '../../parts/icon.tsx';
import { Page } from '../../parts/page.tsx';
import { EmptyState } from '../../parts/states/empty-state.tsx';
import { ErrorState } from '../../parts/states/error-state.tsx';
import { NoRight } from '../../parts/states/no-right.tsx';
import { Skeletons } from '../../parts/states/skeletons.tsx';
import { TimeAgo } from '../../parts/time-ago.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { useSearchValues } from '../use-search-values.ts';
import { AuditFilters } from './audit-filters.tsx';
import { describeAction, describeDetails } from './describe-entry.ts';
import './audit.css';

/** Everything that people, keys and the engine changed in a workspace. */
export function Audit() {
  const { texts } = useTexts();
  const words = texts.audit;
  const workspace = useWorkspace()?.id ?? '';
  const { values } = useSearchValues();
  if (!useMay('audit:read')) {
    return (
      <Page title={words.title} intro={words.intro}>
        <NoRight />
      </Page>
    );
  }
  const filter = readFilter(values);
  const exported = (
    <Button
      component="a"
      variant="default"
      c="var(--p-text)"
      href={auditExportAddress(workspace, filter)}
      download
      leftSection={<Icon of={Download} size={14} />}
    >
      {words.export}
    </Button>
  );
  return (
    <Page title={words.title} intro={words.intro} action={exported}>
      <AuditFilters />
      <Entries workspace={workspace} filter={filter} />
    </Page>
  );
}

const day = /^\d{4}-\d{2}-\d{2}$/;

/** The address has days of the person's own time zone; the last one is included. */
function readFilter({
  actor,
  action,
  from,
  to,
  conversations,
}: Partial<Record<string, string>>): AuditFilter {
  const since = from !== undefined && day.test(from) ? new Date(`${from}T00:00`) : null;
  const until = to !== undefined && day.test(to) ? new Date(`${to}T00:00`) : null;
  until?.setDate(until.getDate() + 1);
  return {
    ...(actor !== undefined && { actor }),
    ...(action !== undefined && { action }),
    ...(since !== null && isTime(since) && { since: since.toISOString() }),
    ...(until !== null && isTime(until) && { until: until.toISOString() }),
    ...(conversations === 'true' && { conversations }),
  };
}

function isTime(date: Date): boolean {
  return !Number.isNaN(date.getTime());
}

interface EntriesProps {
  readonly workspace: string;
  readonly filter: AuditFilter;
}

function Entries({ workspace, filter }: EntriesProps) {
  const { texts } = useTexts();
  const words = texts.audit;
  const query = useInfiniteQuery(auditQuery(workspace, filter));
  const { data: members = [] } = useQuery(membersQuery(workspace));
  const { change } = useSearchValues();
  const nameOf = (id: string) => members.find((member) => member.id === id)?.name;
  const columns: readonly Column<AuditEntry>[] = [
    { key: 'time', title: words.time, width: 110, cell: ({ at }) => <TimeAgo at={at} /> },
    { key: 'who', title: words.who, cell: ({ actor }) => actor },
    { key: 'what', title: words.what, cell: ({ action }) => describeAction(action, texts) },
    {
      key: 'details',
      title: words.details,
      cell: ({ details, actor, conversation_id }) => (
        <span className="p-audit-details">
          {describeDetails(details, { texts, nameOf, actor })}
          {conversation_id !== null && <span className="p-mono">{conversation_id}</span>}
        </span>
      ),
    },
  ];
  if (query.isPending) return <Skeletons rows={8} />;
  if (query.error !== null) {
    return <ErrorState error={query.error} onRetry={() => void query.refetch()} />;
  }
  const rows = query.data.pages.flatMap(({ audit_log }) => audit_log);
  if (rows.length === 0) {
    if (Object.keys(filter).length === 0) {
      return <EmptyState icon={Clock} title={words.empty} text={words.emptyText} />;
    }
    const clear = () => void change({ actor: '', action: '', from: '', to: '', conversations: '' });
    return (
      <EmptyState
        icon={Clock}
        title={words.nothingFits}
        action={
          <Button variant="default" onClick={clear}>
            {words.clear}
          </Button>
        }
      />
    );
  }
  return (
    <>
      <DataTable label={words.table} columns={columns} rows={rows} rowKey={({ id }) => id} minWidth={720} />
      {query.hasNextPage && (
        <Group justify="center" mt="lg">
          <Button
            variant="default"
            loading={query.isFetchingNextPage}
            onClick={() => void query.fetchNextPage()}
          >
            {words.more}
          </Button>
        </Group>
      )}
    </>
  );
}
