import {
  Button,
  Group,
  PasswordInput,
  Radio,
  Stack,
  Switch,
  TagsInput,
  Text,
  TextInput,
} from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { toProblem } from '../../api/problem.ts';
import {
  type ProviderChange,
  type SignInProvider,
  signInRulesQuery,
  useRemoveProvider,
  useSaveProvider,
  useTestProvider,
} from '../../api/queries/sign-in-rules.ts';
import { useMay, useWorkspaceId } from '../../api/queries/workspace.ts';
import { CircleAlert, CircleCheck, CircleDashed, Trash2 } from '../../icons.ts';
import { CopyField } from '../../parts/copy-field.tsx';
import { Icon } from '../../parts/icon.tsx';
import { Section } from '../../parts/page/section.tsx';
import { Page } from '../../parts/page.tsx';
import { StatusPill } from '../../parts/pills.tsx';
import { ErrorState } from '../../parts/states/error-state.tsx';
import { FaultLine } from '../../parts/states/fault-line.tsx';
import { NoRight } from '../../parts/states/no-right.tsx';
import { Skeletons } from '../../parts/states/skeletons.tsx';
import { TimeAgo } from '../../parts/time-ago.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { DomainProofs } from './domain-proofs.tsx';

/** How the members of an owner sign in: the identity provider of their company, and whether it is the only way. */
export function SignInRules() {
  const { texts } = useTexts();
  const words = texts.settings;
  const may = useMay('people:write');
  return (
    <Page title={words.names['sign-in']} intro={words.about['sign-in']} width="narrow">
      {may ? <Rules /> : <NoRight detail={words.signInRules.right} />}
    </Page>
  );
}

function Rules() {
  const { texts } = useTexts();
  const words = texts.settings.signInRules;
  const workspace = useWorkspaceId();
  const query = useQuery(signInRulesQuery(workspace));
  if (query.isPending) return <Skeletons rows={4} height={64} />;
  if (query.error !== null) {
    return <ErrorState error={query.error} onRetry={() => void query.refetch()} />;
  }
  const { provider, domain_proofs, callback_url, sign_in_url } = query.data;
  return (
    <>
      {provider !== null && (
        <>
          <Test workspace={workspace} provider={provider} />
          <DomainProofs workspace={workspace} proofs={domain_proofs} />
          <OnlyWay workspace={workspace} provider={provider} />
          <Section title={words.link} text={words.linkText}>
            <CopyField value={sign_in_url} />
          </Section>
        </>
      )}
      <Section title={words.provider} text={words.providerText}>
        <CopyField label={words.callback} value={callback_url} />
        <ProviderForm key={provider === null ? 'new' : 'stored'} workspace={workspace} provider={provider} />
      </Section>
      {provider !== null && <Remove workspace={workspace} />}
    </>
  );
}

interface ProviderProps {
  readonly workspace: string;
  readonly provider: SignInProvider;
}

interface FormProps {
  readonly workspace: string;
  readonly provider: SignInProvider | null;
}

function ProviderForm({ workspace, provider }: FormProps) {
  const { texts } = useTexts();
  const words = texts.settings.signInRules;
  const [values, setValues] = useState<ProviderChange>(() => changeOf(provider));
  const [secret, setSecret] = useState('');
  const save = useSaveProvider(workspace);
  const problem = save.error === null ? null : toProblem(save.error);
  const faultOf = (field: string) => (problem?.code === `invalid_${field}` ? problem.message : undefined);
  const isOfField = problem !== null && faultOf(problem.code.replace('invalid_', '')) !== undefined;
  const change = (part: Partial<ProviderChange>) => setValues({ ...values, ...part });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const body = { ...values, required: provider?.required ?? false };
    save.mutate(secret === '' ? body : { ...body, client_secret: secret }, {
      onSuccess: () => setSecret(''),
    });
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="lg">
        <TextInput
          label={words.name}
          description={words.nameHelp}
          required
          withAsterisk={false}
          error={faultOf('name')}
          value={values.name}
          onChange={(event) => change({ name: event.currentTarget.value })}
        />
        <TextInput
          label={words.issuer}
          description={words.issuerHelp}
          type="url"
          placeholder="https://"
          dir="ltr"
          required
          withAsterisk={false}
          error={faultOf('issuer')}
          value={values.issuer}
          onChange={(event) => change({ issuer: event.currentTarget.value })}
        />
        <TextInput
          label={words.clientId}
          autoComplete="off"
          dir="ltr"
          required
          withAsterisk={false}
          error={faultOf('client_id')}
          value={values.client_id}
          onChange={(event) => change({ client_id: event.currentTarget.value })}
        />
        <PasswordInput
          label={words.clientSecret}
          description={provider === null ? words.secretHelp : words.secretKept}
          autoComplete="new-password"
          dir="ltr"
          required={provider === null}
          withAsterisk={false}
          error={faultOf('client_secret')}
          value={secret}
          onChange={(event) => setSecret(event.currentTarget.value)}
        />
        <TagsInput
          label={words.domains}
          description={words.domainsHelp}
          {...(values.domains.length === 0 && { placeholder: 'acme.example' })}
          splitChars={[',', ' ', ';']}
          acceptValueOnBlur
          error={faultOf('domains')}
          value={values.domains}
          onChange={(domains) => change({ domains })}
        />
        <Switch
          label={words.trusts}
          description={words.trustsHelp}
          checked={values.trusts_addresses ?? false}
          onChange={(event) => change({ trusts_addresses: event.currentTarget.checked })}
        />
        <Radio.Group
          label={words.role}
          description={words.roleHelp}
          value={values.default_role}
          onChange={(role) => change({ default_role: role === 'viewer' ? 'viewer' : 'agent' })}
        >
          <Group gap="lg" mt="sm">
            <Radio value="agent" label={texts.people.roles.agent} />
            <Radio value="viewer" label={texts.people.roles.viewer} />
          </Group>
        </Radio.Group>
        <Switch
          label={words.enabled}
          description={words.enabledHelp}
          checked={values.enabled ?? true}
          onChange={(event) => change({ enabled: event.currentTarget.checked })}
        />
        {problem !== null && !isOfField && <FaultLine>{problem.message}</FaultLine>}
        <Group gap="md">
          <Button type="submit" loading={save.isPending}>
            {provider === null ? words.setUp : words.save}
          </Button>
          {save.isSuccess && (
            <Text c="dimmed" role="status">
              {texts.settings.saved}
            </Text>
          )}
        </Group>
      </Stack>
    </form>
  );
}

function Test({ workspace, provider }: ProviderProps) {
  const { texts } = useTexts();
  const words = texts.settings.signInRules;
  const test = useTestProvider(workspace);
  const { tested_at, tested_as, test_fault } = provider;
  const fault = test.error === null ? test_fault : toProblem(test.error).message;
  const button = (
    <Button
      variant={tested_at === null ? 'filled' : 'default'}
      loading={test.isPending || test.isSuccess}
      onClick={() => test.mutate()}
    >
      {words.test}
    </Button>
  );
  return (
    <Section title={words.testTitle} text={words.testText} beside={button}>
      <Group gap="sm">
        {fault !== null && (
          <StatusPill tone="red" icon={CircleAlert}>
            {words.failed}
          </StatusPill>
        )}
        {fault === null && tested_at === null && (
          <StatusPill tone="grey" icon={CircleDashed}>
            {words.untested}
          </StatusPill>
        )}
        {fault === null && tested_at !== null && (
          <>
            <StatusPill tone="green" icon={CircleCheck}>
              {words.passed}
            </StatusPill>
            <Text c="var(--p-text-2)">
              {words.signedInAs(tested_as ?? '')} <TimeAgo at={tested_at} />
            </Text>
          </>
        )}
      </Group>
      {fault !== null && <FaultLine>{fault}</FaultLine>}
    </Section>
  );
}

function OnlyWay({ workspace, provider }: ProviderProps) {
  const { texts } = useTexts();
  const words = texts.settings.signInRules;
  const save = useSaveProvider(workspace);
  const canRequire = provider.required || (provider.enabled && provider.tested_at !== null);
  return (
    <Section title={words.only} text={words.onlyText}>
      <Switch
        label={words.onlyLabel}
        description={canRequire ? words.onlyEffect : words.onlyUntested}
        disabled={!canRequire || save.isPending}
        checked={provider.required}
        onChange={(event) => save.mutate({ ...changeOf(provider), required: event.currentTarget.checked })}
      />
      {save.error !== null && <FaultLine>{toProblem(save.error).message}</FaultLine>}
    </Section>
  );
}

function Remove({ workspace }: { readonly workspace: string }) {
  const { texts } = useTexts();
  const words = texts.settings.signInRules;
  const remove = useRemoveProvider(workspace);
  const [asks, setAsks] = useState(false);
  return (
    <Section title={words.remove} text={words.removeText}>
      <Group gap="sm">
        {!asks && (
          <Button
            variant="default"
            leftSection={<Icon of={Trash2} size={14} />}
            onClick={() => setAsks(true)}
          >
            {words.remove}
          </Button>
        )}
        {asks && (
          <>
            <Button color="red" loading={remove.isPending} onClick={() => remove.mutate()}>
              {words.removeNow}
            </Button>
            <Button variant="default" onClick={() => setAsks(false)}>
              {words.keep}
            </Button>
          </>
        )}
      </Group>
      {remove.error !== null && <FaultLine>{toProblem(remove.error).message}</FaultLine>}
    </Section>
  );
}

function changeOf(provider: SignInProvider | null): ProviderChange {
  if (provider === null) {
    const empty = { name: '', issuer: '', client_id: '', domains: [], default_role: 'agent' } as const;
    return { ...empty, domains: [], trusts_addresses: false, enabled: true, required: false };
  }
  const { tested_at: _, tested_as: __, test_fault: ___, ...change } = provider;
  return change;
}
