import { Button, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { toProblem } from '../../api/problem.ts';
import { Search } from '../../icons.ts';
import { Icon } from '../../parts/icon.tsx';
import { EmptyState } from '../../parts/states/empty-state.tsx';
import { ErrorState } from '../../parts/states/error-state.tsx';
import { Skeletons } from '../../parts/states/skeletons.tsx';
import { kindName, useTexts } from '../../texts/texts.tsx';
import { useSearchValues } from '../use-search-values.ts';
import { listSteps, type Step } from './life-steps.ts';
import { type MessageLife, messageLifeQuery } from './operations-queries.ts';
import { type OperationsWords, useOperationsWords, wordFor } from './operations-words.ts';

/** One message from its arrival to what the platform reported. */
export function Life() {
  const words = useOperationsWords().message;
  const { values, change } = useSearchValues();
  const id = values.id ?? '';
  const [typed, setTyped] = useState(id);
  const { data, error, refetch, isFetching } = useQuery(messageLifeQuery(id));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void change({ id: typed.trim() });
  };
  const isUnknown = error !== null && toProblem(error).status === 404;
  return (
    <div className="p-life">
      <form className="p-life-form" onSubmit={submit}>
        <TextInput
          label={words.label}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          autoComplete="off"
          spellCheck={false}
        />
        <Button type="submit" loading={isFetching} leftSection={<Icon of={Search} size={14} />}>
          {words.find}
        </Button>
      </form>
      <Text size="xs" c="dimmed" mt={4}>
        {words.help}
      </Text>
      {id === '' && <EmptyState icon={Search} title={words.empty} text={words.emptyText} />}
      {isUnknown && (
        <Text role="status" mt="md">
          {words.notFound}
        </Text>
      )}
      {error !== null && !isUnknown && <ErrorState error={error} onRetry={() => void refetch()} />}
      {id !== '' && data === undefined && error === null && <Skeletons rows={5} />}
      {data !== undefined && <Found life={data} />}
    </div>
  );
}

function Found({ life }: { readonly life: MessageLife }) {
  const { texts } = useTexts();
  const words = useOperationsWords().message;
  const facts = [
    [words.message, life.message?.id],
    [words.conversation, life.conversation_id],
    [words.workspace, life.workspace_id],
    [words.channel, life.channel === null ? life.channel_id : kindName(life.channel, texts)],
  ] as const;
  return (
    <>
      <dl className="p-life-facts">
        {facts.map(([name, value]) =>
          value === null || value === undefined ? null : (
            <div key={name}>
              <dt>{name}</dt>
              <dd className="p-mono">{value}</dd>
            </div>
          ),
        )}
      </dl>
      <ol className="p-life-steps">
        {listSteps(life).map((step, position) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the steps of a message do not change places
          <StepLine key={position} step={step} />
        ))}
      </ol>
    </>
  );
}

function StepLine({ step }: { readonly step: Step }) {
  const { locale } = useTexts();
  const words = useOperationsWords().message;
  const { name, at, afterMs, part, attempts, failure, tone } = step;
  const time = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'medium' });
  return (
    <li className="p-state-name" data-state={tone}>
      <span className="p-state-dot" aria-hidden="true" />
      <div className="p-life-step">
        <Text fw={500}>
          {wordFor(words.steps, name)}
          {part !== null && <span className="p-state-kind"> {words.part(part)}</span>}
        </Text>
        {(attempts > 1 || failure !== null) && (
          <Text size="sm" c="var(--p-text-2)">
            {[attempts > 1 ? words.attempts(attempts) : null, failure]
              .filter((each) => each !== null)
              .join(': ')}
          </Text>
        )}
      </div>
      <span className="p-side-value p-numbers">
        {at !== null && <time dateTime={at}>{time.format(new Date(at))}</time>}
        {afterMs !== null && (
          <span className="p-state-kind"> {words.after(describeWait(afterMs, words))}</span>
        )}
      </span>
    </li>
  );
}

function describeWait(ms: number, words: OperationsWords['message']): string {
  if (ms < 1_000) return words.milliseconds(Math.round(ms));
  return ms < 120_000 ? words.seconds(Math.round(ms / 100) / 10) : words.minutes(Math.round(ms / 60_000));
}
