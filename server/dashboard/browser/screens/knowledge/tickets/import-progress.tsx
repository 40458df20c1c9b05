import { Button, Group, Progress, Text } from '@mantine/core';
import { toProblem } from '../../../api/problem.ts';
import { FaultLine } from '../../../parts/states/fault-line.tsx';
import { type ReportedImport, useCancelImport } from './tickets-queries.ts';
import { useTicketsWords } from './tickets-words.ts';

interface ImportProgressProps {
  readonly workspace: string;
  readonly shown: ReportedImport;
  readonly may: boolean;
}

/** How far an import has come, and a way to end it. */
export function ImportProgress({ workspace, shown, may }: ImportProgressProps) {
  const words = useTicketsWords();
  const cancel = useCancelImport({ workspace, id: shown.id });
  const done = Object.values(shown.counts).reduce((sum, count) => sum + count, 0);
  const isReading = shown.state !== 'answering';
  const share = isReading ? shown.bytes_read / Math.max(1, shown.bytes) : done / Math.max(1, shown.tickets);
  const said = isReading ? words.reading(shown.tickets) : words.answering(done, shown.tickets);
  return (
    <section className="p-card p-ticket-progress" aria-label={words.states[shown.state]}>
      <Group justify="space-between" gap="sm">
        <Text size="sm" role="status" className="p-numbers">
          {said}
        </Text>
        {may && (
          <Button size="xs" variant="default" loading={cancel.isPending} onClick={() => cancel.mutate()}>
            {words.cancel}
          </Button>
        )}
      </Group>
      <Progress value={share * 100} aria-label={said} mt="sm" />
      {cancel.isError && <FaultLine>{toProblem(cancel.error).message}</FaultLine>}
    </section>
  );
}
