import { useQuery } from '@tanstack/react-query';
import { type Breakdown, breakdownQuery } from '../insight-queries.ts';
import { useInsightWords } from '../insight-words.ts';
import { Counted, useNumbers } from '../numbers.tsx';
import { useFilterNames } from '../use-filter-names.ts';
import { useScope } from '../use-scope.ts';
import { BarRows } from './bar-rows.tsx';
import { Panel } from './panel.tsx';

/** The questions by one of their properties. */
export function BreakdownPanel({ by }: { readonly by: Breakdown }) {
  const all = useInsightWords();
  const words = all.breakdown;
  const { workspace, scope, values, toggle } = useScope();
  const { number, share } = useNumbers();
  const nameOf = useFilterNames();
  const query = useQuery(breakdownQuery(workspace, scope, by));
  return (
    <Panel
      name={by}
      title={words.titles[by]}
      about={words.about[by]}
      query={query}
      isEmpty={({ rows }) => rows.length === 0}
    >
      {({ rows }) => {
        const most = Math.max(...rows.map(({ asked }) => asked));
        return (
          <BarRows
            label={words.titles[by]}
            head={[all.filters[by], words.asked, words.answered]}
            rows={rows.map(({ key, asked, answered }) => {
              const value = by === 'hour' ? String(Number(key)) : key;
              const narrow = by === 'hour' ? { hour: Number(key) } : { [by]: key };
              const name = nameOf(by, value);
              return {
                ...{ key, name, size: asked / most, isOn: values[by] === value },
                onPick: () => toggle(by, value),
                cells: [
                  <Counted key="asked" counts="asked" narrow={narrow} what={name}>
                    {number(asked)}
                  </Counted>,
                  <Counted
                    key="answered"
                    counts="answered"
                    narrow={narrow}
                    what={`${name}, ${words.answered}`}
                  >
                    {share(answered, asked)}
                  </Counted>,
                ],
              };
            })}
          />
        );
      }}
    </Panel>
  );
}
