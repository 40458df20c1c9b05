import { Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { type ConflictStatus, conflictsQuery } from '../../../api/queries/documents.ts';
import { useMay, useWorkspace } from '../../../api/queries/workspace.ts';
import { CheckCheck } from '../../../icons.ts';
import { MoreButton } from '../../../parts/more-button.tsx';
import { Page } from '../../../parts/page.tsx';
import { EmptyState } from '../../../parts/states/empty-state.tsx';
import { ErrorState } from '../../../parts/states/error-state.tsx';
import { Skeletons } from '../../../parts/states/skeletons.tsx';
import { useTexts } from '../../../texts/texts.tsx';
import { KnowledgeTabs } from '../knowledge-tabs.tsx';
import { ConflictCard } from './conflict-card.tsx';
import '../knowledge.css';
import './conflicts.css';

const STATUSES = ['open', 'dismissed', 'resolved'] as const satisfies readonly ConflictStatus[];

/** Texts that contradict each other, or that are out of date. */
export function Conflicts() {
  const workspace = useWorkspace();
  return workspace === null ? null : <ConflictsOf workspace={workspace.id} key={workspace.id} />;
}

function ConflictsOf({ workspace }: { readonly workspace: string }) {
  const { texts } = useTexts();
  const words = texts.knowledge.conflicts;
  const may = useMay('knowledge:write');
  const search: { readonly status?: string } = useSearch({ strict: false });
  const status = STATUSES.find((each) => each === search.status) ?? 'open';
  const list = useInfiniteQuery(conflictsQuery(workspace, status));
  const conflicts = list.data?.pages.flatMap((page) => page.conflicts) ?? [];
  return (
    <Page
      title={texts.frame.areas.knowledge}
      below={<KnowledgeTabs workspace={workspace} current="conflicts" count={conflicts.length} />}
    >
      <nav className="p-conflict-statuses" aria-label={words.status}>
        {STATUSES.map((each) => (
          <Link
            key={each}
            to="."
            search={{ status: each === 'open' ? '' : each }}
            {...(each === status && { 'aria-current': 'page' as const })}
          >
            {words.statuses[each]}
          </Link>
        ))}
      </nav>
      {list.isPending && <Skeletons rows={3} height={120} />}
      {list.isError && (
        <ErrorState error={list.error} title={words.notLoaded} onRetry={() => void list.refetch()} />
      )}
      {list.isSuccess && conflicts.length === 0 && (
        <EmptyState icon={CheckCheck} title={words.empty[status]} text={words.emptyText} />
      )}
      {conflicts.length > 0 && (
        <>
          <Text size="xs" c="var(--p-text-2)" mb="md">
            {words.hint}
          </Text>
          <ul className="p-conflicts">
            {conflicts.map((conflict) => (
              <ConflictCard key={conflict.id} workspace={workspace} conflict={conflict} may={may} />
            ))}
          </ul>
        </>
      )}
      <MoreButton list={list}>{texts.knowledge.more}</MoreButton>
    </Page>
  );
}
