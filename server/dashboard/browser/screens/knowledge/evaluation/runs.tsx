import { Text } from '@mantine/core';
import type { TestRun } from '../../../ask/evaluation-queries.ts';
import { TimeAgo } from '../../../parts/time-ago.tsx';
import { useTexts } from '../../../texts/texts.tsx';

const kinds = ['right', 'unsure', 'wrong', 'refused'] as const;

/** The newest runs: a bar for each, and the figures. */
export function Runs({ runs }: { readonly runs: readonly TestRun[] }) {
  const { texts } = useTexts();
  const words = texts.evaluation;
  if (runs.length === 0) return null;
  return (
    <section aria-label={words.runs} className="p-runs">
      <h2>
        {words.runs}
        <Text span size="xs" c="var(--p-text-2)" fw={400}>
          {words.runsHint}
        </Text>
      </h2>
      <table>
        <thead>
          <tr>
            <th>{words.when}</th>
            {kinds.map((kind) => (
              <th key={kind} data-align="end">
                {words.outcomes[kind]}
              </th>
            ))}
            <th>{words.why}</th>
          </tr>
        </thead>
        <tbody>
          {runs.map((run) => (
            <tr key={run.id}>
              <td>
                <TimeAgo at={run.created_at} />
                <span className="p-run-bar" aria-hidden="true">
                  {kinds.map((kind) => (
                    <i key={kind} data-kind={kind} style={{ flexGrow: run[kind] }} />
                  ))}
                </span>
              </td>
              {kinds.map((kind) => (
                <td key={kind} data-align="end" className="p-numbers">
                  {run[kind]}
                </td>
              ))}
              <td>{run.state === 'finished' ? words.reasons[run.reason] : words.states[run.state]}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
