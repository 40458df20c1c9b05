import { Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { TimeAgo } from '../../parts/time-ago.tsx';
import type { Installation } from './operations-queries.ts';
import { useOperationsWords, wordFor } from './operations-words.ts';

const SLOW_SECONDS = 10;
const MEGABYTE = 2 ** 20;

/** Processes, stores, models and secrets, beside the parts. */
export function SideCards({ installation }: { readonly installation: Installation }) {
  const words = useOperationsWords();
  const { processes, models, secrets, storage } = installation;
  return (
    <aside className="p-operations-side">
      <Card title={words.processes.title} about={words.processes.about} empty={words.processes.none}>
        {processes.map(({ id, host, roles, version, seen_seconds_ago: seconds }) => (
          <Line
            key={id}
            state={seconds > SLOW_SECONDS ? 'degraded' : 'ok'}
            name={host ?? id}
            about={[describeRoles(roles, words), version].filter((part) => part !== null).join(', ')}
            value={words.processes.seconds(Math.round(seconds))}
          />
        ))}
      </Card>
      <Card title={words.storage.title}>
        <Line
          state="ok"
          name={words.storage[storage.engine]}
          value={words.storage.size(Math.round(storage.bytes / MEGABYTE))}
        />
        <Line state="ok" name={words.storage.queue} value={words.storage[storage.queue]} />
      </Card>
      <Card title={words.models.title} empty={words.models.none}>
        {models.map(({ model, use, paused }) => (
          <Line
            key={`${use} ${model}`}
            state={paused === null ? 'ok' : 'degraded'}
            name={model}
            about={wordFor(words.models.uses, use)}
            value={paused === null ? words.models.ready : `${words.models.paused}: ${paused}`}
          />
        ))}
      </Card>
      <Card title={words.secrets.title} about={words.secrets.about}>
        {secrets.map(({ secret, id, since }) => (
          <Line
            key={secret}
            state="ok"
            name={words.secrets[secret]}
            {...(id !== null && { about: id })}
            value={since === null ? words.secrets.byVariable : <TimeAgo at={since} />}
          />
        ))}
      </Card>
    </aside>
  );
}

const ALL_KINDS = 11;

function describeRoles(
  roles: readonly string[],
  words: ReturnType<typeof useOperationsWords>,
): string | null {
  const kinds = roles.filter((role) => role !== 'server' && role !== 'workers');
  const named = kinds.length >= ALL_KINDS ? [words.processes.all] : kinds;
  return [...roles.filter((role) => role === 'server'), ...named].join(', ') || null;
}

interface CardProps {
  readonly title: string;
  readonly about?: string;
  readonly empty?: string;
  readonly children: ReactNode;
}

function Card({ title, about, empty, children }: CardProps) {
  const isEmpty = Array.isArray(children) && children.length === 0;
  return (
    <section className="p-card p-side-card" aria-label={title}>
      <div className="p-operations-head">
        <Title order={2} fz={13}>
          {title}
        </Title>
        {about !== undefined && <span className="p-side-about">{about}</span>}
      </div>
      {isEmpty ? <p className="p-side-empty">{empty}</p> : <ul>{children}</ul>}
    </section>
  );
}

interface LineProps {
  readonly state: 'ok' | 'degraded';
  readonly name: string;
  readonly about?: string;
  readonly value: ReactNode;
}

function Line({ state, name, about, value }: LineProps) {
  return (
    <li className="p-state-name" data-state={state}>
      <span className="p-state-dot" aria-hidden="true" />
      <span className="p-side-name">
        {name} {about !== undefined && <span className="p-state-kind">{about}</span>}
      </span>
      <span className="p-side-value p-numbers">{value}</span>
    </li>
  );
}
