import { ActionIcon, Button, Group, Text, TextInput, Tooltip } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import type { ChannelKind } from '../../../api/kinds.ts';
import {
  type Channel,
  type ChannelChecks,
  checksQuery,
  useAddChannel,
  useChangeChannel,
} from '../../../api/queries/channels.ts';
import { useMay, useWorkspace } from '../../../api/queries/workspace.ts';
import { ArrowRight, X } from '../../../icons.ts';
import { CopyField } from '../../../parts/copy-field.tsx';
import { Icon } from '../../../parts/icon.tsx';
import { Page } from '../../../parts/page.tsx';
import { StatusPill } from '../../../parts/pills.tsx';
import { ErrorState } from '../../../parts/states/error-state.tsx';
import { NoRight } from '../../../parts/states/no-right.tsx';
import { Skeletons } from '../../../parts/states/skeletons.tsx';
import type { Catalogue } from '../../../texts/english.ts';
import { kindName, useTexts } from '../../../texts/texts.tsx';
import { NothingHere } from '../../nothing-here.tsx';
import { useChannelKinds } from '../use-channel-kinds.ts';
import { AccountForm } from './account-form.tsx';
import { GuideSteps } from './guide-steps.tsx';
import { LiveCheck } from './live-check.tsx';
import { MailboxStep } from './mailbox/mailbox-step.tsx';
import { useMailboxWords } from './mailbox/mailbox-words.ts';
import { Finish, OffNote, OnStep } from './on-step.tsx';
import { usePlace, type WizardStep, wizardSteps } from './place.ts';
import { PublicUrlNote } from './public-url-note.tsx';
import { StepOf } from './step.tsx';
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
  const mailbox = useMailboxWords();
  const workspace = useWorkspace()?.id ?? '';
  const { step, name: chosen, channel: id, go } = usePlace();
  const checks = useQuery({
    ...checksQuery({ workspace, channel: id ?? '' }),
    enabled: id !== null,
  });
  // The answer to the request that added it counts until its checks are loaded, so that no step begins anew.
  const [added, setAdded] = useState<Channel | null>(null);
  const channel = checks.data?.channel ?? findAdded(added, id);
  const isMailbox = kind.facets.includes('mailbox');
  // A mailbox needs nothing on a platform before: the way to its password stands beside the field.
  const hasGuide = !isMailbox && kind.guide.steps.some(({ phase }) => phase === 'before');
  const hasCredentials = hasSecrets(kind);
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
    label:
      each === 'credentials' && isMailbox
        ? mailbox.step
        : words.steps[each === 'credentials' && !hasCredentials ? 'settings' : each],
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
          isDone={(each) => wasSeen(each, checks.data ?? null, { chosen, step })}
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
          {step === 'credentials' && (id === null || channel !== null) && (
            <CredentialsStep
              kind={kind}
              channel={channel}
              onAdded={setAdded}
              onBack={back}
              onNext={() => go({ step: to(1) })}
            />
          )}
          {step === 'check' && id !== null && (
            <StepOf
              title={words.check.title}
              text={words.check.text}
              onBack={back}
              note={checks.data?.state === 'unproven' ? words.check.unproven : null}
            >
              <PublicUrlNote kind={kind} />
              {channel?.enabled === false && <OffNote onOpen={() => go({ step: 'on' })} />}
              <LiveCheck workspace={workspace} channel={id} />
              <Finish workspace={workspace} channel={id} />
            </StepOf>
          )}
          {step === 'on' && channel !== null && (
            <OnStep
              channel={channel}
              isMailbox={isMailbox}
              onBack={back}
              onNext={() => go({ step: to(1) })}
            />
          )}
        </div>
        <Aside channel={channel} guide={showsTroubles(step, kind) ? kind.guide : null} />
      </div>
    </Page>
  );
}

/** A mailbox names the remedy at each refusal. */
function showsTroubles(step: WizardStep, { facets }: ChannelKind): boolean {
  return step === 'check' || (step === 'credentials' && !facets.includes('mailbox'));
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

interface CredentialsStepProps {
  readonly kind: ChannelKind;
  readonly channel: Channel | null;
  readonly onAdded: (channel: Channel) => void;
  readonly onBack: (() => void) | null;
  readonly onNext: () => void;
}

/** A mailbox by its provider, or the fields of any other kind. One goes on from a channel that exists. */
function CredentialsStep({ kind, channel, onAdded, onBack, onNext }: CredentialsStepProps) {
  const { texts } = useTexts();
  const words = texts.channels.wizard;
  const mailbox = useMailboxWords();
  const workspace = useWorkspace()?.id ?? '';
  const { name, go } = usePlace();
  if (kind.facets.includes('mailbox')) {
    return (
      <StepOf title={mailbox.title} text={mailbox.text} onBack={onBack} {...(channel !== null && { onNext })}>
        <MailboxStep
          workspace={workspace}
          kind={kind}
          name={nameOr(name, kind, texts)}
          channel={channel}
          onStored={(stored, isProven) => {
            onAdded(stored);
            go({ channel: stored.id, step: isProven ? 'credentials' : 'on' });
          }}
        />
      </StepOf>
    );
  }
  const hasCredentials = hasSecrets(kind);
  const { title, text } = hasCredentials ? words.credentials : words.settings;
  return (
    <StepOf title={title} text={text} onBack={onBack}>
      <PublicUrlNote kind={kind} />
      <AccountStep kind={kind} hasCredentials={hasCredentials} />
    </StepOf>
  );
}

function findAdded(added: Channel | null, id: string | null): Channel | null {
  return added?.id === id ? added : null;
}

function hasSecrets({ credentials }: ChannelKind): boolean {
  return Object.keys(credentials.properties ?? {}).length > 0;
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
  const onSuccess = (stored: Channel) => go({ channel: stored.id, step: 'on' });
  return (
    <AccountForm
      kind={kind}
      isBusy={add.isPending || change.isPending}
      error={add.error ?? change.error}
      submitLabel={hasCredentials ? words.credentials.submit : words.settings.submit}
      onSubmit={(fields) => {
        if (id !== null) change.mutate(fields, { onSuccess });
        else {
          add.mutate(
            { channel: kind.kind, name: nameOr(name, kind, texts), ...fields, enabled: false },
            { onSuccess },
          );
        }
      }}
    />
  );
}

interface Passed {
  readonly chosen: string;
  readonly step: WizardStep;
}

/** Whether a step was seen to be done: a tick stands for evidence, not for having gone on. */
function wasSeen(each: WizardStep, checks: ChannelChecks | null, { chosen, step }: Passed): boolean {
  if (checks === null) {
    const isPassed = wizardSteps.indexOf(each) < wizardSteps.indexOf(step);
    return isPassed && (each === 'guide' || (each === 'name' && chosen !== ''));
  }
  if (each === 'name' || each === 'guide') return true;
  if (each === 'on') return checks.channel.enabled;
  if (each === 'check') return checks.checks.every(({ state }) => state === 'done');
  const accepted = checks.checks.find(({ id }) => id === 'credentials');
  return accepted === undefined || accepted.state === 'done';
}

/** The chosen name of the channel, or that of its kind. */
function nameOr(chosen: string, { kind }: ChannelKind, texts: Catalogue): string {
  return chosen === '' ? kindName(kind, texts) : chosen;
}
