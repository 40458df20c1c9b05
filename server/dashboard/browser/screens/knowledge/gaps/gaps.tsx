import { Button, Group, Text } from '@mantine/core';
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { toProblem } from '../../../api/problem.ts';
import { useMay, useWorkspace } from '../../../api/queries/workspace.ts';
import { CheckCheck, Lock } from '../../../icons.ts';
import { Icon } from '../../../parts/icon.tsx';
import { MoreButton } from '../../../parts/more-button.tsx';
import { Page } from '../../../parts/page.tsx';
import { EmptyState } from '../../../parts/states/empty-state.tsx';
import { ErrorState } from '../../../parts/states/error-state.tsx';
import { FaultLine } from '../../../parts/states/fault-line.tsx';
import { Skeletons } from '../../../parts/states/skeletons.tsx';
import { useTexts } from '../../../texts/texts.tsx';
import { useSearchValues } from '../../use-search-values.ts';
import { KnowledgeTabs } from '../knowledge-tabs.tsx';
import { GapCard } from './gap-card.tsx';
import { type Gap, gapQuery, gapsQuery, refreshQuery, useMergeGaps } from './gap-queries.ts';
import { useGapWords } from './gap-words.ts';
import '../knowledge.css';
import '../conflicts/conflicts.css';
import './gaps.css';

const STATES = ['open', 'planned', 'done', 'dismissed'] as const satisfies readonly Gap['state'][];
const KINDS = ['nothing', 'refused', 'person'] as const satisfies readonly Gap['kind'][];

/** The topics that visitors get no answer to. */
export function Gaps() {
  const workspace = useWorkspace();
  return workspace === null ? null : <GapsOf workspace={workspace.id} key={workspace.id} />;
}

function GapsOf({ workspace }: { readonly workspace: string }) {
  const { texts } = useTexts();
  const words = useGapWords();
  const may = useMay('knowledge:write');
  const { values } = useSearchValues();
  const state = STATES.find((each) => each === values.state) ?? 'open';
  const kind = KINDS.find((each) => each === values.kind) ?? null;
  const list = useInfiniteQuery(gapsQuery(workspace, { state, kind }));
  const waiting = useSorting(workspace);
  const all = list.data?.pages.flatMap((page) => page.gaps) ?? [];
  const counts = list.data?.pages[0]?.counts;
  const [picked, setPicked] = useState<ReadonlySet<string>>(new Set());
  const { gap: written = '' } = values;
  const gaps = all.filter(({ id }) => id !== written);
  const pick = (id: string) =>
    setPicked((before) => {
      const after = new Set(before);
      if (!after.delete(id)) after.add(id);
      return after;
    });
  return (
    <Page
      title={texts.frame.areas.knowledge}
      below={<KnowledgeTabs workspace={workspace} current="gaps" count={counts?.open ?? 0} />}
    >
      <div className="p-gap-filters">
        <nav className="p-conflict-statuses" aria-label={words.state}>
          {STATES.map((each) => (
            <Link
              key={each}
              to="."
              search={{ state: each === 'open' ? '' : each, kind: kind ?? '' }}
              {...(each === state && { 'aria-current': 'page' as const })}
            >
              {words.states[each]} <span className="p-numbers">{counts?.[each] || ''}</span>
            </Link>
          ))}
        </nav>
        <nav className="p-conflict-statuses" aria-label={words.kind}>
          {[null, ...KINDS].map((each) => (
            <Link
              key={each ?? 'all'}
              to="."
              search={{ state: state === 'open' ? '' : state, kind: each ?? '' }}
              {...(each === kind && { 'aria-current': 'page' as const })}
            >
              {each === null ? words.allKinds : words.kinds[each]}
            </Link>
          ))}
        </nav>
        <Text size="xs" c="var(--p-text-2)" className="p-gap-order" role="status">
          {waiting > 0 ? words.sorting(waiting) : words.order}
        </Text>
      </div>
      {!may && (
        <Text className="p-read-only">
          <Icon of={Lock} size={14} /> {words.readOnly}
        </Text>
      )}
      {written !== '' && <WrittenGap workspace={workspace} gap={written} may={may} />}
      {list.isPending && <Skeletons rows={4} height={180} />}
      {list.isError && (
        <ErrorState error={list.error} title={words.notLoaded} onRetry={() => void list.refetch()} />
      )}
      {list.isSuccess && all.length === 0 && waiting === 0 && written === '' && (
        <EmptyState icon={CheckCheck} title={words.empty[state]} text={words.emptyText} />
      )}
      {gaps.length > 0 && (
        <ul className="p-gaps">
          {gaps.map((gap) => (
            <GapCard
              key={gap.id}
              {...{ workspace, gap, may }}
              isPicked={picked.has(gap.id)}
              onPick={() => pick(gap.id)}
            />
          ))}
        </ul>
      )}
      <MoreButton list={list}>{texts.knowledge.more}</MoreButton>
      {may && (
        <MergeBar
          workspace={workspace}
          gaps={all.filter(({ id }) => picked.has(id))}
          onDone={() => setPicked(new Set())}
        />
      )}
    </Page>
  );
}

/** Has new questions sorted while the screen is open; the number that is left. */
function useSorting(workspace: string): number {
  const client = useQueryClient();
  const waiting = useQuery(refreshQuery(workspace)).data?.waiting ?? 0;
  const [before, setBefore] = useState(0);
  useEffect(() => {
    if (waiting === before) return;
    setBefore(waiting);
    void client.invalidateQueries({ queryKey: ['gaps', workspace] });
  }, [client, workspace, waiting, before]);
  return waiting;
}

/** The gap that an answer was just written for, whatever its state is now. */
function WrittenGap({
  workspace,
  gap,
  may,
}: {
  readonly workspace: string;
  readonly gap: string;
  readonly may: boolean;
}) {
  const { data } = useQuery(gapQuery(workspace, gap));
  if (data === undefined) return null;
  return (
    <ul className="p-gaps p-gap-written">
      <GapCard {...{ workspace, may }} gap={data} isOpen />
    </ul>
  );
}

interface MergeBarProps {
  readonly workspace: string;
  readonly gaps: readonly Gap[];
  readonly onDone: () => void;
}

function MergeBar({ workspace, gaps, onDone }: MergeBarProps) {
  const words = useGapWords();
  const merge = useMergeGaps(workspace);
  const [first, ...others] = gaps;
  if (first === undefined || others.length === 0) return null;
  const run = () =>
    merge.mutate({ gap: first.id, others: others.map(({ id }) => id) }, { onSuccess: onDone });
  return (
    <Group className="p-card p-gap-merge" gap="md">
      <Text size="xs" c="var(--p-text-2)" flex={1}>
        {words.mergeHint}
      </Text>
      {merge.isError && <FaultLine>{toProblem(merge.error).message}</FaultLine>}
      <Button variant="subtle" onClick={onDone}>
        {words.clear}
      </Button>
      <Button loading={merge.isPending} onClick={run}>
        {words.merge(gaps.length)}
      </Button>
    </Group>
  );
}
