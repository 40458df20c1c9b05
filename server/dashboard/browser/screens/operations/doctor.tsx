import { Button, Text, Title } from '@mantine/core';
import { toProblem } from '../../api/problem.ts';
import { CopyButton } from '../../parts/copy-field.tsx';
import { FaultLine } from '../../parts/states/fault-line.tsx';
import { useDoctor } from './operations-queries.ts';
import { useOperationsWords } from './operations-words.ts';

/** The report of the doctor as text, to copy into a ticket. */
export function Doctor() {
  const words = useOperationsWords().doctor;
  const doctor = useDoctor();
  const report = doctor.data?.findings
    .map(
      ({ part, state, text, advice }) =>
        `${state.padEnd(4)}  ${part}: ${text}${advice === null ? '' : ` ${advice}`}`,
    )
    .join('\n');
  return (
    <section aria-label={words.title} className="p-doctor">
      <div className="p-operations-head">
        <Title order={2}>{words.title}</Title>
        <Button variant="default" size="xs" loading={doctor.isPending} onClick={() => doctor.mutate()}>
          {words.run}
        </Button>
      </div>
      <Text size="sm" c="dimmed">
        {words.about}
      </Text>
      {doctor.isError && <FaultLine>{toProblem(doctor.error).message}</FaultLine>}
      {report !== undefined && (
        <div className="p-card p-doctor-report" role="status">
          <CopyButton value={report} label={words.report} />
          <pre className="p-mono">{report}</pre>
        </div>
      )}
    </section>
  );
}
