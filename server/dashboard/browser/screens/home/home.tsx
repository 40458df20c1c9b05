import { Button, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useWorkspace } from '../../api/queries/workspace.ts';
import { openAsk } from '../../ask/open-ask.ts';
import { CircleAlert, CircleCheck, Clock, Lightbulb } from '../../icons.ts';
import { Icon } from '../../parts/icon.tsx';
import { Page } from '../../parts/page.tsx';
import { EmptyState } from '../../parts/states/empty-state.tsx';
import { Skeletons } from '../../parts/states/skeletons.tsx';
import { useMinute } from '../../parts/time-ago.tsx';
import { toLink } from '../../parts/to-link.ts';
import { tellNeed, useHomeWords } from './home-words.ts';
import { collectNeeds, type Need } from './needs.ts';
import { findSteps, type Step } from './steps.ts';
import { useFacts } from './use-facts.ts';
import './home.css';

/** The first screen of owners: the steps that are left, and the things that need a person. */
export function Home() {
  const words = useHomeWords();
  const workspace = useWorkspace();
  if (workspace === null) return null;
  return (
    <Page title={words.title} intro={workspace.name}>
      <Loaded key={workspace.id} id={workspace.id} name={workspace.name} />
    </Page>
  );
}

function Loaded({ id, name }: { readonly id: string; readonly name: string }) {
  const words = useHomeWords();
  const now = new Date(useMinute());
  const { facts, isLoading, hasFailed } = useFacts(id, now);
  const steps = findSteps({ ...facts, workspaceName: name });
  const needs = collectNeeds(facts);
  if (isLoading) return <Skeletons rows={6} height={56} />;
  const red = needs.filter(({ tone }) => tone === 'red').length;
  return (
    <div className="p-home">
      {steps?.some(({ isDone }) => !isDone) === true && <Steps workspace={id} steps={steps} />}
      <section aria-labelledby="home-needs">
        <header className="p-home-head">
          <Title order={2} id="home-needs">
            {words.needs.title}
          </Title>
          <Text size="xs" c="dimmed">
            {words.needs.text}
          </Text>
          {needs.length > 0 && (
            <Text size="xs" c="var(--p-text-2)" className="p-numbers p-home-count">
              {words.needs.count(needs.length, red)}
            </Text>
          )}
        </header>
        {needs.length === 0 ? (
          <EmptyState icon={CircleCheck} title={words.needs.none} text={words.needs.noneText} />
        ) : (
          <ul className="p-home-needs">
            {needs.map((need) => (
              <NeedRow key={`${need.what.kind} ${need.id}`} workspace={id} need={need} />
            ))}
          </ul>
        )}
        {hasFailed && (
          <Text size="xs" c="var(--p-amber)" mt="sm" role="status">
            {words.needs.unread}
          </Text>
        )}
      </section>
    </div>
  );
}

const stepPaths: Readonly<Record<Step['id'], string>> = {
  named: 'settings/general',
  document: 'knowledge/documents',
  answer: '',
  channel: 'channels',
  colleague: 'settings/people',
  second_factor: '/me',
};

function Steps({ workspace, steps }: { readonly workspace: string; readonly steps: readonly Step[] }) {
  const words = useHomeWords().steps;
  const done = steps.filter(({ isDone }) => isDone).length;
  const next = steps.find(({ isDone }) => !isDone)?.id;
  return (
    <section className="p-home-steps" aria-labelledby="home-steps">
      <header className="p-home-head">
        <Title order={2} id="home-steps">
          {words.title}
        </Title>
        <Text size="xs" c="dimmed">
          {words.text}
        </Text>
        <Text size="xs" c="var(--p-text-2)" className="p-numbers p-home-count">
          {words.seen(done)}
        </Text>
      </header>
      <ol>
        {steps.map((step, at) => (
          <li key={step.id} data-done={step.isDone} data-next={step.id === next}>
            <StepMark step={step} number={at + 1} />
            <div className="p-home-step-text">
              <Text fw={600}>{words.of[step.id].title}</Text>
              <Text size="xs" c="var(--p-text-2)" lineClamp={2}>
                {step.isDone ? words.of[step.id].text(step.evidence) : words.of[step.id].open}
              </Text>
            </div>
            {!step.isDone && <StepAction workspace={workspace} step={step} isNext={step.id === next} />}
          </li>
        ))}
      </ol>
    </section>
  );
}

function StepMark({ step: { isDone }, number }: { readonly step: Step; readonly number: number }) {
  const words = useHomeWords().steps;
  return (
    <span className="p-home-mark">
      {isDone ? <Icon of={CircleCheck} label={words.isSeen} /> : <span className="p-numbers">{number}</span>}
    </span>
  );
}

interface StepActionProps {
  readonly workspace: string;
  readonly step: Step;
  readonly isNext: boolean;
}

function StepAction({ workspace, step: { id }, isNext }: StepActionProps) {
  const words = useHomeWords().steps.of[id];
  const look = { size: 'xs', variant: isNext ? 'filled' : 'default' } as const;
  const label = `${words.action}: ${words.title}`;
  if (id === 'answer') {
    return (
      <Button {...look} aria-label={label} onClick={() => openAsk()}>
        {words.action}
      </Button>
    );
  }
  const path = stepPaths[id];
  return (
    <Button
      {...look}
      aria-label={label}
      renderRoot={(props) => <Link to={path.startsWith('/') ? path : `/w/${workspace}/${path}`} {...props} />}
    >
      {words.action}
    </Button>
  );
}

const toneIcons = { red: CircleAlert, amber: Clock, plain: Lightbulb } as const;

function NeedRow({ workspace, need }: { readonly workspace: string; readonly need: Need }) {
  const words = useHomeWords().needs;
  const told = tellNeed(need, words.tell);
  return (
    <li data-tone={need.tone}>
      <span className="p-home-mark">
        <Icon of={toneIcons[need.tone]} label={words.tones[need.tone]} />
      </span>
      <div className="p-home-step-text">
        <Text fw={600}>{told.title}</Text>
        <Text size="xs" c="var(--p-text-2)">
          {told.text}
        </Text>
      </div>
      <Button
        size="xs"
        variant={need.tone === 'red' ? 'filled' : 'default'}
        aria-label={`${told.action}: ${told.title}`}
        renderRoot={(props) => <Link {...toLink(`/w/${workspace}/${need.path}`)} {...props} />}
      >
        {told.action}
      </Button>
    </li>
  );
}
