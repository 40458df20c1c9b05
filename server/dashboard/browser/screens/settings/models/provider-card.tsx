import { Autocomplete, Button, Group, PasswordInput, Stack, Text } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { toProblem } from '../../../api/problem.ts';
import { CircleAlert, CircleCheck, CircleDashed, KeyRound } from '../../../icons.ts';
import { StatusPill } from '../../../parts/pills.tsx';
import { FaultLine } from '../../../parts/states/fault-line.tsx';
import { TimeAgo } from '../../../parts/time-ago.tsx';
import { type ModelProvider, useRemoveKey, useSaveKey, useTryKey } from './model-queries.ts';
import { describeTrial, useModelWords } from './model-words.ts';

interface ProviderProps {
  readonly workspace: string;
  readonly provider: ModelProvider;
}

interface ProviderCardProps extends ProviderProps {
  readonly mayChange: boolean;
}

/** A provider with the state of its key, and the form for one's own. */
export function ProviderCard({ workspace, provider, mayChange }: ProviderCardProps) {
  const words = useModelWords();
  const [isOpen, setOpen] = useState(false);
  const { title, own_key: key } = provider;
  return (
    <section className="p-card p-models-provider" aria-label={title}>
      <Group justify="space-between" gap="sm">
        <Text fw={500}>{title}</Text>
        <State provider={provider} />
      </Group>
      {key !== null && <StoredKey provider={provider} />}
      {mayChange && isOpen && (
        <KeyForm workspace={workspace} provider={provider} onClose={() => setOpen(false)} />
      )}
      {mayChange && !isOpen && (
        <Group gap="sm">
          {key !== null && <TryButton workspace={workspace} provider={provider} />}
          <Button
            variant="default"
            aria-label={key === null ? words.bringTo(title) : words.replaceOf(title)}
            onClick={() => setOpen(true)}
          >
            {key === null ? words.bring : words.replace}
          </Button>
          {key !== null && <RemoveButton workspace={workspace} provider={provider} />}
        </Group>
      )}
    </section>
  );
}

function State({ provider: { own_key: key, installation_key } }: { readonly provider: ModelProvider }) {
  const { states } = useModelWords();
  if (key !== null && key.trial.outcome !== 'answered') {
    return (
      <StatusPill tone="red" icon={CircleAlert}>
        {states.fails}
      </StatusPill>
    );
  }
  if (key !== null) {
    return (
      <StatusPill tone="green" icon={CircleCheck}>
        {states.works}
      </StatusPill>
    );
  }
  return (
    <StatusPill tone="grey" icon={installation_key ? KeyRound : CircleDashed}>
      {installation_key ? states.installation : states.none}
    </StatusPill>
  );
}

function StoredKey({ provider }: { readonly provider: ModelProvider }) {
  const words = useModelWords();
  const { own_key: key } = provider;
  if (key === null) return null;
  const said = describeTrial(words, provider, key.trial);
  return (
    <Stack gap={4}>
      <Text size="xs" c="dimmed">
        {words.key(key.last_four)}, {words.setBy(key.set_by)} <TimeAgo at={key.set_at} />
        {' · '}
        {words.tried} <TimeAgo at={key.tried_at} />
      </Text>
      {key.trial.outcome === 'answered' ? (
        <Text size="xs" c="var(--p-text-2)">
          {said}
        </Text>
      ) : (
        <FaultLine>{said}</FaultLine>
      )}
    </Stack>
  );
}

function TryButton({ workspace, provider: { provider, title, own_key: key } }: ProviderProps) {
  const words = useModelWords();
  const attempt = useTryKey({ workspace, provider });
  if (key === null) return null;
  return (
    <>
      <Button
        variant="default"
        aria-label={words.tryAgainOf(title)}
        loading={attempt.isPending}
        onClick={() => attempt.mutate(key.trial.model)}
      >
        {words.tryAgain}
      </Button>
      {attempt.error !== null && <FaultLine>{toProblem(attempt.error).message}</FaultLine>}
    </>
  );
}

function RemoveButton({ workspace, provider: { provider, title, installation_key } }: ProviderProps) {
  const words = useModelWords();
  const remove = useRemoveKey({ workspace, provider });
  const [asks, setAsks] = useState(false);
  if (!asks) {
    return (
      <Button variant="default" aria-label={words.removeOf(title)} onClick={() => setAsks(true)}>
        {words.remove}
      </Button>
    );
  }
  return (
    <Stack gap="sm" w="100%">
      <Text size="xs">{installation_key ? words.withInstallation : words.withNothing}</Text>
      <Group gap="sm">
        <Button color="red" loading={remove.isPending} onClick={() => remove.mutate()}>
          {words.removeNow}
        </Button>
        <Button variant="default" onClick={() => setAsks(false)}>
          {words.keep}
        </Button>
      </Group>
      {remove.error !== null && <FaultLine>{toProblem(remove.error).message}</FaultLine>}
    </Stack>
  );
}

interface KeyFormProps extends ProviderProps {
  readonly onClose: () => void;
}

function KeyForm({ workspace, provider, onClose }: KeyFormProps) {
  const words = useModelWords();
  const { own_key: key, models } = provider;
  const [apiKey, setApiKey] = useState('');
  const [model, setModel] = useState(key?.trial.model ?? models[0] ?? '');
  const save = useSaveKey({ workspace, provider: provider.provider });
  const send = (isForced: boolean) =>
    save.mutate(
      { apiKey, model: model.trim(), isForced },
      { onSuccess: ({ stored }) => (stored ? onClose() : undefined) },
    );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    send(false);
  };
  const refused = save.data?.stored === false ? save.data.trial : null;
  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        <PasswordInput
          label={words.apiKey}
          autoComplete="off"
          dir="ltr"
          required
          withAsterisk={false}
          data-autofocus
          value={apiKey}
          onChange={(event) => setApiKey(event.currentTarget.value)}
        />
        <Autocomplete
          label={words.model}
          dir="ltr"
          required
          withAsterisk={false}
          data={[...models]}
          value={model}
          onChange={setModel}
        />
        {save.error !== null && <FaultLine>{toProblem(save.error).message}</FaultLine>}
        {refused !== null && (
          <FaultLine>{`${describeTrial(words, provider, refused)} ${words.notStored}`}</FaultLine>
        )}
        <Group gap="sm">
          <Button type="submit" loading={save.isPending}>
            {words.submit}
          </Button>
          {refused !== null && (
            <Button variant="default" disabled={save.isPending} onClick={() => send(true)}>
              {words.anyway}
            </Button>
          )}
          <Button variant="default" onClick={onClose}>
            {words.cancel}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
