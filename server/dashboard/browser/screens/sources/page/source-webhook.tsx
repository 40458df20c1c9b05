import { Button, Group, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import {
  type HookKind,
  hookKinds,
  type Source,
  sourceHookQuery,
  useSourceHook,
} from '../../../api/queries/sources.ts';
import { CopyField } from '../../../parts/copy-field.tsx';
import { Section } from '../../../parts/page/section.tsx';
import { SecretOnce } from '../../../parts/secret-once.tsx';
import { ErrorState } from '../../../parts/states/error-state.tsx';
import { FaultLine } from '../../../parts/states/fault-line.tsx';
import { TimeAgo } from '../../../parts/time-ago.tsx';
import { useTexts } from '../../../texts/texts.tsx';

interface SourceWebhookProps {
  readonly workspace: string;
  readonly source: Source;
  readonly may: boolean;
}

/** The webhook by which a tool tells of changes, with the steps to set it up. It is empty for kinds that have none. */
export function SourceWebhook({ source, ...props }: SourceWebhookProps) {
  const kind = hookKinds.find((each) => each === source.kind);
  return kind === undefined ? null : <Webhook {...props} source={source} kind={kind} />;
}

function Webhook({ workspace, source, may, kind }: SourceWebhookProps & { readonly kind: HookKind }) {
  const { texts } = useTexts();
  const words = texts.sources.webhook;
  const place = { workspace, source: source.id };
  const { data: hook, error, refetch } = useQuery(sourceHookQuery(place));
  const act = useSourceHook(place);
  if (hook === undefined) {
    return error === null ? null : <ErrorState error={error} onRetry={() => void refetch()} />;
  }
  const isOff = hook.state === 'off';
  return (
    <Section
      title={words.title}
      text={words.text}
      beside={
        may && (
          <Group gap="sm">
            <Button
              size="xs"
              variant="default"
              loading={act.isPending}
              onClick={() => act.mutate({ do: 'set-up' })}
            >
              {isOff ? words.setUp : words.again}
            </Button>
            {!isOff && (
              <Button size="xs" variant="subtle" color="red" onClick={() => act.mutate({ do: 'remove' })}>
                {words.remove}
              </Button>
            )}
          </Group>
        )
      }
    >
      <Text role="status">
        {hook.state === 'on' && hook.called_at === null ? words.silent : words.states[hook.state]}{' '}
        {hook.called_at !== null && <TimeAgo at={hook.called_at} />}
      </Text>
      {!isOff && hook.address !== null && <CopyField label={words.address} value={hook.address} />}
      {!isOff && hook.address === null && <FaultLine>{words.noAddress}</FaultLine>}
      {!isOff && hook.state !== 'on' && <Steps steps={words.steps[kind]} />}
      {act.data?.secret != null && (
        <>
          <SecretOnce name={words.secretOf[kind]} secret={act.data.secret} />
          <Steps steps={words.secretSteps[kind]} />
        </>
      )}
      {may && hook.state === 'waiting' && hook.secret_from === 'person' && (
        <GivenSecret isBusy={act.isPending} onGive={(secret) => act.mutate({ do: 'set-up', secret })} />
      )}
      {may && hook.state === 'received' && (
        <Button w="fit-content" onClick={() => act.mutate({ do: 'show' })}>
          {words.show}
        </Button>
      )}
      {act.error !== null && <FaultLine>{act.error.message}</FaultLine>}
    </Section>
  );
}

function Steps({ steps }: { readonly steps: readonly string[] }) {
  if (steps.length === 0) return null;
  return (
    <ol className="p-hook-steps">
      {steps.map((step) => (
        <li key={step}>{step}</li>
      ))}
    </ol>
  );
}

interface GivenSecretProps {
  readonly isBusy: boolean;
  readonly onGive: (secret: string) => void;
}

function GivenSecret({ isBusy, onGive }: GivenSecretProps) {
  const { texts } = useTexts();
  const words = texts.sources.webhook;
  const [secret, setSecret] = useState('');
  const give = (event: FormEvent) => {
    event.preventDefault();
    onGive(secret.trim());
  };
  return (
    <form onSubmit={give}>
      <Group gap="sm" align="flex-end">
        <TextInput
          label={words.given}
          type="password"
          autoComplete="off"
          required
          minLength={16}
          flex="1 1 240px"
          value={secret}
          onChange={(event) => setSecret(event.currentTarget.value)}
        />
        <Button type="submit" loading={isBusy}>
          {words.store}
        </Button>
      </Group>
    </form>
  );
}
