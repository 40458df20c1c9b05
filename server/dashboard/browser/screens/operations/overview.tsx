import { Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Check, CircleAlert, TriangleAlert } from '../../icons.ts';
import { Icon } from '../../parts/icon.tsx';
import { ErrorState } from '../../parts/states/error-state.tsx';
import { Skeletons } from '../../parts/states/skeletons.tsx';
import { ChannelStates } from './channel-states.tsx';
import { Doctor } from './doctor.tsx';
import { type Installation, type InstallationPart, installationQuery } from './operations-queries.ts';
import { useOperationsWords, wordFor } from './operations-words.ts';
import { Parts } from './parts-table.tsx';
import { SideCards } from './side-cards.tsx';

/** The parts that are not well come first, then the lacking ones, then everything else. */
export function Overview() {
  const words = useOperationsWords();
  const { data, error, refetch } = useQuery(installationQuery);
  if (data !== undefined) return <Columns installation={data} />;
  if (error === null) return <Skeletons rows={8} />;
  return <ErrorState error={error} title={words.notLoaded} onRetry={() => void refetch()} />;
}

function Columns({ installation }: { readonly installation: Installation }) {
  const ill = installation.parts.filter(({ state }) => state === 'failed' || state === 'degraded');
  return (
    <div className="p-operations">
      <div className="p-operations-main">
        {ill
          .toSorted((one, other) => Number(other.state === 'failed') - Number(one.state === 'failed'))
          .map((part) => (
            <Alarm key={part.part} part={part} />
          ))}
        <Lacks installation={installation} />
        <Parts parts={installation.parts} />
        <ChannelStates />
        <Doctor />
      </div>
      <SideCards installation={installation} />
    </div>
  );
}

/** A part that does not hold its promise, with what to do. */
function Alarm({ part: { part, state, seen, advice } }: { readonly part: InstallationPart }) {
  const words = useOperationsWords();
  const name = wordFor(words.parts.names, part);
  return (
    <section className="p-alarm" data-state={state} aria-label={name}>
      <Icon of={CircleAlert} />
      <div>
        <Text fw={600}>
          {name}: {words.parts.states[state]}
        </Text>
        <Text>{seen}</Text>
        {advice !== null && (
          <Text size="sm">
            <b>{words.whatToDo}</b> {advice}
          </Text>
        )}
      </div>
    </section>
  );
}

/** The lacking parts of the configuration with their remedies; those that are there are words at the head. */
function Lacks({ installation: { needs } }: { readonly installation: Installation }) {
  const words = useOperationsWords().lacks;
  const there = needs.filter(({ state }) => state === 'there');
  const missing = needs.filter(({ need, state }) => state !== 'there' && !isImplied(need, needs));
  return (
    <section aria-label={words.title}>
      <div className="p-operations-head">
        <Title order={2}>{words.title}</Title>
        <ul className="p-operations-there">
          {there.map(({ need }) => (
            <li key={need}>
              <Icon of={Check} size={14} color="var(--p-green)" /> {words.has[need]}
            </li>
          ))}
        </ul>
      </div>
      {missing.length === 0 ? (
        <Text c="var(--p-text-2)">{words.none}</Text>
      ) : (
        <ul className="p-card p-lacks">
          {missing.map(({ need, state, value }) => (
            <li key={need}>
              <span className="p-lacks-sign">
                <Icon of={TriangleAlert} size={14} />
              </span>
              <div>
                <Text fw={600}>{(state === 'weak' ? words.weak : words.lacking)[need]}</Text>
                <Text size="sm" c="var(--p-text-2)">
                  {words.how[need]}
                  {value !== null && <span className="p-mono"> {value}</span>}
                </Text>
              </div>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

/** Without an address there is nothing to encrypt: one line says it. */
function isImplied(need: string, needs: Installation['needs']): boolean {
  return need === 'https' && needs.some((each) => each.need === 'address' && each.state === 'lacking');
}
