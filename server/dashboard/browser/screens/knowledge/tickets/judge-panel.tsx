import { Button, Group, Kbd, Progress, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { toProblem } from '../../../api/problem.ts';
import { type KeyAction, useKeyActions } from '../../../keys/registry.ts';
import { ErrorState } from '../../../parts/states/error-state.tsx';
import { FaultLine } from '../../../parts/states/fault-line.tsx';
import { Skeletons } from '../../../parts/states/skeletons.tsx';
import { offerUndo } from '../../../undo/undo.tsx';
import { JUDGEMENTS } from './ticket-list.tsx';
import { TicketSides } from './ticket-sides.tsx';
import { type Judgement, type Place, unjudgedQuery, useJudge } from './tickets-queries.ts';
import { useTicketsWords } from './tickets-words.ts';

interface JudgePanelProps extends Place {
  readonly done: number;
  readonly size: number;
  readonly onEnd: () => void;
}

/** One ticket of the sample after the other, judged by the keys 1 to 4. */
export function JudgePanel({ done, size, onEnd, ...place }: JudgePanelProps) {
  const words = useTicketsWords();
  const { workspace, id } = place;
  const list = useQuery(unjudgedQuery(place));
  const { mutate, ...judge } = useJudge(place);
  const [passed, setPassed] = useState<ReadonlySet<string>>(new Set());
  const ticket = list.data?.tickets.find((each) => !passed.has(each.id));
  const actions = useMemo(() => {
    const store = (judgement: Judgement) => {
      if (ticket === undefined) return;
      const keep = () => setPassed((before) => new Set([...before].filter((each) => each !== ticket.id)));
      setPassed((before) => new Set([...before, ticket.id]));
      mutate({ ticket: ticket.id, judgement }, { onError: keep });
      offerUndo(words.undone(words.judgements[judgement]), () => {
        mutate({ ticket: ticket.id, judgement: null }, { onSuccess: keep });
      });
    };
    return JUDGEMENTS.map((judgement, index) => ({
      id: `judge-${judgement}`,
      name: words.judgements[judgement],
      keys: String(index + 1),
      scope: 'here' as const,
      run: () => store(judgement),
    })) satisfies readonly KeyAction[];
  }, [ticket, mutate, words]);
  useKeyActions(actions);
  return (
    <section
      className="p-card p-ticket-judge"
      aria-label={words.judgeTitle}
      data-import={`${workspace} ${id}`}
    >
      <Group justify="space-between" gap="sm">
        <Title order={2} fz={14} lh="20px">
          {words.judgeTitle}
        </Title>
        <Button size="xs" variant="subtle" onClick={onEnd}>
          {words.endJudging}
        </Button>
      </Group>
      <Text size="xs" c="var(--p-text-2)" role="status" className="p-numbers">
        {words.judged(done, size)}
      </Text>
      <Progress
        value={(done / Math.max(1, size)) * 100}
        size="xs"
        my="xs"
        aria-label={words.judged(done, size)}
      />
      {list.isPending && <Skeletons rows={3} height={64} />}
      {list.isError && <ErrorState error={list.error} onRetry={() => void list.refetch()} />}
      {judge.isError && <FaultLine>{toProblem(judge.error).message}</FaultLine>}
      {ticket !== undefined && (
        <>
          <TicketSides ticket={ticket} />
          <Group gap="xs" mt="sm">
            {actions.map(({ id: action, name, keys, run }) => (
              <Button key={action} size="xs" variant="default" rightSection={<Kbd>{keys}</Kbd>} onClick={run}>
                {name}
              </Button>
            ))}
          </Group>
        </>
      )}
      {list.isSuccess && ticket === undefined && done >= size && <Text>{words.allJudged}</Text>}
    </section>
  );
}
