import { useQuery } from '@tanstack/react-query';
import { costQuery } from '../insight-queries.ts';
import { useInsightWords } from '../insight-words.ts';
import { Counted, useNumbers } from '../numbers.tsx';
import { useScope } from '../use-scope.ts';
import { BarRows } from './bar-rows.tsx';
import { Panel } from './panel.tsx';

/** Tokens, other models that failed, and times, by the model that wrote. */
export function CostPanel() {
  const words = useInsightWords().cost;
  const { workspace, scope, toggle } = useScope();
  const { number } = useNumbers();
  const query = useQuery(costQuery(workspace, scope));
  return (
    <Panel
      name="cost"
      title={words.title}
      about={words.about}
      query={query}
      isEmpty={({ models }) => models.length === 0}
    >
      {({ models }) => {
        const most = Math.max(...models.map(({ answers }) => answers));
        const time = (ms: number | null) => (ms === null ? '–' : words.ms(ms));
        return (
          <BarRows
            label={words.title}
            head={[words.model, words.answers, words.tokens, words.failovers, words.half, words.most]}
            rows={models.map((row) => {
              const key = row.model ?? '-';
              const name = row.model ?? words.noModel;
              return {
                ...{ key, name, size: row.answers / most, isOn: scope.model === key },
                onPick: () => toggle('model', key),
                cells: [
                  <Counted key="answers" counts="asked" narrow={{ model: key }} what={name}>
                    {number(row.answers)}
                  </Counted>,
                  number(row.tokens),
                  <Counted key="failed" counts="failed_over" narrow={{ model: key }} what={name}>
                    {number(row.failovers)}
                  </Counted>,
                  time(row.p50_ms),
                  time(row.p95_ms),
                ],
              };
            })}
          />
        );
      }}
    </Panel>
  );
}
