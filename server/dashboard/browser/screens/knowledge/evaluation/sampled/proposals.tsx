import { Button, Group, Select, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useLayoutEffect, useMemo, useRef, useState } from 'react';
import { toProblem } from '../../../../api/problem.ts';
import { CheckCheck, RefreshCw, X } from '../../../../icons.ts';
import { type KeyAction, useKeyActions } from '../../../../keys/registry.ts';
import { Icon } from '../../../../parts/icon.tsx';
import { EmptyState } from '../../../../parts/states/empty-state.tsx';
import { ErrorState } from '../../../../parts/states/error-state.tsx';
import { Skeletons } from '../../../../parts/states/skeletons.tsx';
import { ProposalCard } from './proposal-card.tsx';
import { type Decision, type Proposal, proposalsQuery, useDecide } from './proposal-queries.ts';
import { useProposalWords } from './proposal-words.ts';

interface ProposalsProps {
  readonly workspace: string;
  readonly onClose: () => void;
}

const COUNTS = ['10', '20', '50'] as const;

/** The questions of visitors, for a person to make test questions of. */
export function Proposals({ workspace, onClose }: ProposalsProps) {
  const words = useProposalWords();
  const [count, setCount] = useState<string>('20');
  const [round, setRound] = useState(0);
  const list = useQuery(proposalsQuery(workspace, { count: Number(count), round }));
  const { data } = list;
  return (
    <section aria-label={words.title} className="p-proposals">
      <header>
        <div>
          <h2>{words.title}</h2>
          <Text size="xs" c="var(--p-text-2)">
            {words.hint}
          </Text>
        </div>
        <Group gap="sm">
          <Select
            aria-label={words.count}
            size="xs"
            w={72}
            data={COUNTS}
            value={count}
            allowDeselect={false}
            onChange={(value) => value !== null && setCount(value)}
          />
          <Button
            size="xs"
            variant="default"
            leftSection={<Icon of={RefreshCw} size={14} />}
            loading={list.isFetching}
            onClick={() => setRound(round + 1)}
          >
            {words.others}
          </Button>
          <Button size="xs" variant="subtle" leftSection={<Icon of={X} size={14} />} onClick={onClose}>
            {words.close}
          </Button>
        </Group>
      </header>
      {list.isPending && (
        <div role="status" aria-label={words.searching}>
          <Skeletons rows={3} height={120} />
        </div>
      )}
      {list.isError && (
        <ErrorState error={list.error} title={words.notLoaded} onRetry={() => void list.refetch()} />
      )}
      {data?.proposals.length === 0 && (
        <EmptyState icon={CheckCheck} title={words.empty.title} text={words.empty.text} />
      )}
      {data !== undefined && data.proposals.length > 0 && (
        <Decisions key={data.seed} workspace={workspace} proposals={data.proposals} />
      )}
    </section>
  );
}

interface DecisionsProps {
  readonly workspace: string;
  readonly proposals: readonly Proposal[];
}

/** The state of a proposal that somebody has decided about. */
type Progress =
  | { readonly state: 'pending' | 'done'; readonly decision: Decision }
  | { readonly state: 'failed'; readonly fault: string };

function Decisions({ workspace, proposals }: DecisionsProps) {
  const words = useProposalWords();
  const [progress, setProgress] = useState<Readonly<Record<string, Progress>>>({});
  const [chosen, setChosen] = useState<string | null>(null);
  const { mutateAsync } = useDecide(workspace);
  const isOpen = ({ message_id: id }: Proposal) => (progress[id]?.state ?? 'failed') === 'failed';
  // The chosen one stays the current one until it is decided.
  const start = Math.max(
    0,
    proposals.findIndex(({ message_id: id }) => id === chosen),
  );
  const inOrder = [...proposals.slice(start), ...proposals.slice(0, start)];
  const current = inOrder.find(isOpen);
  const note = (id: string, next: Progress) => setProgress((before) => ({ ...before, [id]: next }));
  const decide = ({ message_id: message, document_id: documentId }: Proposal, decision: Decision) => {
    if (decision === 'right' && documentId === null) return;
    note(message, { state: 'pending', decision });
    // A person decides about the next one before this one is stored: each has its own outcome.
    void mutateAsync({ message, decision }).then(
      () => note(message, { state: 'done', decision }),
      (error: unknown) => note(message, { state: 'failed', fault: toProblem(error).message }),
    );
  };
  useProposalKeys({
    decide: (decision) => current !== undefined && decide(current, decision),
    move: (by) => {
      const open = proposals.filter(isOpen);
      const place = (current === undefined ? -1 : open.indexOf(current)) + by;
      setChosen(open[Math.min(Math.max(place, 0), open.length - 1)]?.message_id ?? null);
    },
  });
  const done = Object.values(progress).filter(({ state }) => state === 'done');
  const added = done.filter((each) => each.state === 'done' && each.decision !== 'skip').length;
  return (
    <>
      <Text size="xs" c="var(--p-text-2)" role="status" className="p-numbers">
        {done.length === proposals.length ? words.allDone(added) : words.done(done.length, proposals.length)}
      </Text>
      <ul className="p-questions">
        {proposals.map((proposal) => {
          const own = progress[proposal.message_id];
          return (
            <ProposalCard
              key={proposal.message_id}
              workspace={workspace}
              proposal={proposal}
              isCurrent={proposal === current}
              decided={own?.state === 'done' ? own.decision : undefined}
              pending={own?.state === 'pending' ? own.decision : undefined}
              fault={own?.state === 'failed' ? own.fault : undefined}
              onDecide={(decision) => decide(proposal, decision)}
            />
          );
        })}
      </ul>
    </>
  );
}

interface ProposalKeys {
  readonly decide: (decision: Decision) => void;
  readonly move: (by: 1 | -1) => void;
}

/** The keys stay the same while what they decide about changes. */
function useProposalKeys(handlers: ProposalKeys) {
  const { keys } = useProposalWords();
  const latest = useRef(handlers);
  useLayoutEffect(() => {
    latest.current = handlers;
  });
  const actions = useMemo<readonly KeyAction[]>(() => {
    const decide = (decision: Decision) => () => latest.current.decide(decision);
    const move = (by: 1 | -1) => () => latest.current.move(by);
    return [
      { id: 'proposal-right', name: keys.right, keys: '1', scope: 'here', run: decide('right') },
      { id: 'proposal-nothing', name: keys.nothing, keys: '2', scope: 'here', run: decide('nothing') },
      { id: 'proposal-skip', name: keys.skip, keys: '3', scope: 'here', run: decide('skip') },
      { id: 'proposal-next', name: keys.next, keys: 'j', scope: 'here', run: move(1) },
      { id: 'proposal-previous', name: keys.previous, keys: 'k', scope: 'here', run: move(-1) },
    ];
  }, [keys]);
  useKeyActions(actions);
}
