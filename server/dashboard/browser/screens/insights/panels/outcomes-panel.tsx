import { UnstyledButton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { outcomesQuery } from '../insight-queries.ts';
import { useInsightWords } from '../insight-words.ts';
import { Counted, useNumbers } from '../numbers.tsx';
import { outcomeNames, useScope } from '../use-scope.ts';
import { Panel } from './panel.tsx';

/** The five outcomes of the conversations that ended, which add up. */
export function OutcomesPanel() {
  const all = useInsightWords();
  const words = all.outcomes;
  const { workspace, scope, toggle } = useScope();
  const { number, share, isFew } = useNumbers();
  const query = useQuery(outcomesQuery(workspace, scope));
  const open = query.data?.open ?? 0;
  const note = (
    <>
      {open > 0 && (
        <Counted counts="open" what={all.list.kinds.open}>
          {words.open(open)}
        </Counted>
      )}
      {open > 0 && '. '}
      {words.moves}
    </>
  );
  return (
    <Panel
      name="outcomes"
      title={words.title}
      titleWith={({ ended }) => words.of(ended)}
      about={words.about}
      note={note}
      query={query}
      isEmpty={({ ended }) => ended === 0}
    >
      {(data) => (
        <>
          <div className="p-outcome-bar" aria-hidden="true">
            {outcomeNames.map(
              (name) =>
                data[name] > 0 && <span key={name} data-outcome={name} style={{ flexGrow: data[name] }} />,
            )}
          </div>
          <ul className="p-outcomes">
            {outcomeNames.map((name) => (
              <li key={name} data-outcome={name}>
                <div className="p-outcome-numbers">
                  <Counted counts="ended" narrow={{ outcome: name }} what={words.names[name]}>
                    <strong>{share(data[name], data.ended)}</strong>
                    {!isFew(data.ended) && <span>{number(data[name])}</span>}
                  </Counted>
                </div>
                <UnstyledButton
                  className="p-insight-key"
                  title={words.notes[name]}
                  aria-pressed={scope.outcome === name}
                  onClick={() => toggle('outcome', name)}
                >
                  {words.names[name]}
                </UnstyledButton>
                <span className="p-visually-hidden">{words.notes[name]}</span>
              </li>
            ))}
          </ul>
        </>
      )}
    </Panel>
  );
}
