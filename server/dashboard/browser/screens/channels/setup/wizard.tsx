import { ActionIcon, Button, Group, Switch, Text, TextInput, Title, Tooltip } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import type { ChannelKind } from '../../../api/kinds.ts';
import { type Channel, checksQuery, useAddChannel, useChangeChannel } from '../../../api/queries/channels.ts';
import { useMay, useWorkspace } from '../../../api/queries/workspace.ts';
import { ArrowRight, X } from '../../../icons.ts';
import { CopyField } from '../../../parts/copy-field.tsx';
import { Icon } from '../../../parts/icon.tsx';
import { Page } from '../../../parts/page.tsx';
import { StatusPill } from '../../../parts/pills.tsx';
import { ErrorState } from '../../../parts/states/error-state.tsx';
import { FaultLine } from '../../../parts/states/fault-line.tsx';
import { NoRight } from '../../../parts/states/no-right.tsx';
import { Skeletons } from '../../../parts/states/skeletons.tsx';
import type { Catalogue } from '../../../texts/english.ts';
import { kindName, useTexts } from '../../../texts/texts.tsx';
import { NothingHere } from '../../nothing-here.tsx';
import { useChannelKinds } from '../use-channel-kinds.ts';
import { AccountForm } from './account-form.tsx';
import { GuideSteps } from './guide-steps.tsx';
import { LiveCheck } from './live-check.tsx';
import { usePlace, type WizardStep, wizardSteps } from './place.ts';
import { PublicUrlNote } from './public-url-note.tsx';
import { StepList } from './step-list.tsx';
import { Troubles } from './troubles.tsx';
import '../channels.css';

/** Sets a channel up, one screen a step. It can be left at any step, and its address leads back to it. */
export function Wizard() {
  const { texts } = useTexts();
  const { kind: wanted } = useParams({ strict: false });
  const { name } = usePlace();
  const mayChange = useMay('channels:write');
  const { data, error, refetch } = useChannelKinds(name);
  const kind = data?.kinds.find((each) => each.kind === wanted);
  const title = texts.channels.wizard.title(kindName(wanted ?? '', texts));
  if (data !== undefined && (kind === undefined || kind.kind === 'api')) return <NothingHere />;
  if (kind !== undefined && mayChange) return <WizardOf kind={kind} title={title} />;
  return (
    <Page title={title}>
      {!mayChange ? (
        <NoRight />
      ) : error !== null ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : (
        <Skeletons rows={4} />
      )}
    </Page>
  );
}

interface WizardOfProps {
  readonly kind: ChannelKind;
  readonly title: string;
}

function WizardOf({ kind, title }: WizardOfProps) {
  const { texts } = useTexts();
  const words = texts.channels.wizard;
  const workspace = useWorkspace()?.id ?? '';
  const { step, name: chosen, channel: id, go } = usePlace();
  const checks = useQuery({
    ...checksQuery({ workspace, channel: id ?? '' }),
    enabled: id !== null,
  });
  const channel = checks.data?.channel ?? null;
  const hasGuide = kind.guide.steps.some(({ phase }) => phase === 'before');
  const hasCredentials = Object.keys(kind.credentials.properties ?? {}).length > 0;
  const steps = wizardSteps.filter((each) => each !== 'guide' || hasGuide);
  const done = checks.data?.checks.filter(({ state }) => state === 'done').length ?? 0;
  const seen = checks.data === undefined ? '' : words.seen(done, checks.data.checks.length);
  const hints: Partial<Record<WizardStep, string>> = {
    name: channel?.name ?? nameOr(chosen, kind, texts),
    check: seen,
  };
  const to = (position: number) => steps[steps.indexOf(step) + position] ?? step;
  const back = step === steps[0] ? null : () => go({ step: to(-1) });
  const list = steps.map((each) => ({
    id: each,
    label: words.steps[each === 'credentials' && !hasCredentials ? 'settings' : each],
    hint: hints[each] ?? '',
  }));
  if (id !== null && checks.error !== null && channel === null) {
    return (
      <Page title={title}>
        <ErrorState error={checks.error} onRetry={() => void checks.refetch()} />
      </Page>
    );
  }
  return (
    <Page title={title} action={<WizardActions isSaved={id !== null} />}>
      <div className="p-wizard">
        <StepList
          steps={list}
          current={step}
          isOpen={(each) => (each === 'check' || each === 'on' ? id !== null : true)}
          onOpen={(each) => go({ step: each })}
        />
        <div className="p-wizard-main" key={step}>
          {step === 'name' && <NameStep kind={kind} channel={channel} onNext={() => to(1)} />}
          {step === 'guide' && (
            <StepOf
              title={words.guide.title(kindName(kind.kind, texts))}
              text={words.guide.text}
              onBack={back}
              onNext={() => go({ step: to(1) })}
            >
              <PublicUrlNote kind={kind} />
              <GuideSteps steps={kind.guide.steps.filter(({ phase }) => phase === 'before')} />
              <Text size="sm" mt="md">
                <a href={`/docs/channels/${kind.kind}`} target="_blank" rel="noreferrer">
                  {words.guide.documentation}
                </a>
              </Text>
            </StepOf>
          )}
          {step === 'credentials' && (
            <StepOf
              title={hasCredentials ? words.credentials.title : words.settings.title}
              text={hasCredentials ? words.credentials.text : words.settings.text}
              onBack={back}
            >
              <PublicUrlNote kind={kind} />
              <AccountStep kind={kind} hasCredentials={hasCredentials} />
            </StepOf>
          )}
          {step === 'check' && id !== null && (
            <StepOf
              title={words.check.title}
              text={words.check.text}
              onBack={back}
              onNext={() => go({ step: to(1) })}
              note={checks.data?.state === 'unproven' ? words.check.unproven : null}
            >
              <PublicUrlNote kind={kind} />
              <LiveCheck workspace={workspace} channel={id} />
            </StepOf>
          )}
          {step === 'on' && channel !== null && <OnStep channel={channel} onBack={back} />}
        </div>
        <Aside channel={channel} guide={step === 'check' || step === 'credentials' ? kind.guide : null} />
      </div>
    </Page>
  );
}

/** Says that the wizard can be left, and leaves it. */
function WizardActions({ isSaved }: { readonly isSaved: boolean }) {
  const { texts } = useTexts();
  const words = texts.channels.wizard;
  const workspace = useWorkspace()?.id ?? '';
  return (
    <Group gap="sm" wrap="nowrap">
      {isSaved && (
        <span className="p-wide-only">
          <StatusPill tone="grey">{words.saved}</StatusPill>
        </span>
      )}
      <Tooltip label={words.close}>
        <ActionIcon component={Link} to={`/w/${workspace}/channels`} aria-label={words.close}>
          <Icon of={X} />
        </ActionIcon>
      </Tooltip>
    </Group>
  );
}

interface AsideProps {
  readonly channel: Channel | null;
  readonly guide: ChannelKind['guide'] | null;
}

/** The address that the platform needs, and the faults that are known. */
function Aside({ channel, guide }: AsideProps) {
  const { texts } = useTexts();
  const address = channel?.webhook_url ?? null;
  return (
    <aside className="p-wizard-aside">
      {address !== null && <CopyField label={texts.channels.webhookAddress} value={address} />}
      {guide !== null && <Troubles guide={guide} />}
    </aside>
  );
}

interface StepOfProps {
  readonly title: string;
  readonly text: string;
  readonly onBack: (() => void) | null;
  readonly onNext?: () => void;
  readonly note?: string | null;
  readonly children: ReactNode;
}

/** One step: its heading takes the focus, so that a screen reader begins there. */
function StepOf({ title, text, onBack, onNext, note = null, children }: StepOfProps) {
  const { texts } = useTexts();
  const words = texts.channels.wizard;
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus({ preventScroll: true }), []);
  return (
    <>
      <Title order={2} className="p-wizard-title" ref={heading} tabIndex={-1}>
        {title}
      </Title>
      <Text c="var(--p-text-2)" mb="lg">
        {text}
      </Text>
      <div className="p-wizard-body">{children}</div>
      {(onBack !== null || onNext !== undefined) && (
        <div className="p-wizard-foot">
          {onBack !== null && (
            <Button variant="default" onClick={onBack}>
              {words.back}
            </Button>
          )}
          <Text size="xs" c="dimmed" flex={1}>
            {note}
          </Text>
          {onNext !== undefined && (
            <Button rightSection={<Icon of={ArrowRight} />} onClick={onNext}>
              {words.next}
            </Button>
          )}
        </div>
      )}
    </>
  );
}

interface NameStepProps {
  readonly kind: ChannelKind;
  readonly channel: Channel | null;
  readonly onNext: () => WizardStep;
}

function NameStep({ kind, channel, onNext }: NameStepProps) {
  const { texts } = useTexts();
  const words = texts.channels.wizard;
  const workspace = useWorkspace()?.id ?? '';
  const { name: chosen, go } = usePlace();
  const [name, setName] = useState(channel?.name ?? nameOr(chosen, kind, texts));
  const rename = useChangeChannel({ workspace, channel: channel?.id ?? '' });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const next = () => go({ step: onNext(), name: name.trim() });
    if (channel === null || channel.name === name.trim()) next();
    else rename.mutate({ name: name.trim() }, { onSuccess: next });
  };
  return (
    <form onSubmit={submit}>
      <StepOf title={words.name.title} text={words.name.text} onBack={null}>
        <TextInput
          label={words.name.label}
          required
          withAsterisk={false}
          maxLength={200}
          maw={400}
          value={name}
          error={rename.error === null ? null : rename.error.message}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Button
          type="submit"
          mt="lg"
          disabled={name.trim() === ''}
          loading={rename.isPending}
          rightSection={<Icon of={ArrowRight} />}
        >
          {words.next}
        </Button>
      </StepOf>
    </form>
  );
}

interface AccountStepProps {
  readonly kind: ChannelKind;
  readonly hasCredentials: boolean;
}

/** Adds the channel, or gives the one that exists new fields. */
function AccountStep({ kind, hasCredentials }: AccountStepProps) {
  const { texts } = useTexts();
  const words = texts.channels.wizard;
  const workspace = useWorkspace()?.id ?? '';
  const { name, channel: id, go } = usePlace();
  const add = useAddChannel(workspace);
  const change = useChangeChannel({ workspace, channel: id ?? '' });
  const onSuccess = (stored: Channel) => go({ channel: stored.id, step: 'check' });
  return (
    <AccountForm
      kind={kind}
      isBusy={add.isPending || change.isPending}
      error={add.error ?? change.error}
      submitLabel={hasCredentials ? words.credentials.submit : words.settings.submit}
      onSubmit={(fields) => {
        if (id !== null) change.mutate(fields, { onSuccess });
        else {
          add.mutate({ channel: kind.kind, name: nameOr(name, kind, texts), ...fields }, { onSuccess });
        }
      }}
    />
  );
}

interface OnStepProps {
  readonly channel: Channel;
  readonly onBack: (() => void) | null;
}

function OnStep({ channel, onBack }: OnStepProps) {
  const { texts } = useTexts();
  const words = texts.channels.wizard.on;
  const workspace = useWorkspace()?.id ?? '';
  const change = useChangeChannel({ workspace, channel: channel.id });
  return (
    <StepOf title={words.title} text={channel.enabled ? words.live : words.isOff} onBack={onBack}>
      <Switch
        label={words.label}
        color="petrol"
        checked={channel.enabled}
        disabled={change.isPending}
        onChange={(event) => change.mutate({ enabled: event.currentTarget.checked })}
      />
      {change.error !== null && <FaultLine>{change.error.message}</FaultLine>}
      <Group mt="xl" gap="md">
        <Button component={Link} to={`/w/${workspace}/channels`}>
          {words.finish}
        </Button>
        <Link to={`/w/${workspace}/channels/${channel.id}`} search={{ tab: 'settings' }}>
          {words.more}
        </Link>
      </Group>
    </StepOf>
  );
}

/** The chosen name of the channel, or that of its kind. */
function nameOr(chosen: string, { kind }: ChannelKind, texts: Catalogue): string {
  return chosen === '' ? kindName(kind, texts) : chosen;
}
