import { Button, Group, Stack, Text, TextInput, Title } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { toProblem } from '../../api/problem.ts';
import { beginInstallation } from '../../api/sign-in.ts';
import { ArrowRight, Terminal } from '../../icons.ts';
import { Icon } from '../../parts/icon.tsx';
import { FaultLine } from '../../parts/states/fault-line.tsx';
import { useCommonTexts } from '../../texts/common-texts.tsx';
import { describeFault } from './describe-fault.ts';
import { EntryPage } from './entry-page.tsx';
import { NewPassword } from './new-password.tsx';

/** The first account of an installation, by the link that its console prints. */
export function Begin() {
  const { texts } = useCommonTexts();
  const words = texts.signIn;
  const [token] = useState(() => location.hash.slice(1));
  const [name, setName] = useState('');
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const begin = useMutation({
    mutationFn: () => beginInstallation({ token, name: name.trim(), email: email.trim(), password }),
    onSuccess: () => location.assign('/dashboard'),
  });
  const code = begin.error === null ? null : toProblem(begin.error).code;
  const fault = begin.error === null ? null : describeFault(begin.error, texts);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    begin.mutate();
  };
  return (
    <EntryPage
      title={words.begin.title}
      intro={words.begin.text}
      aside={<FirstSteps />}
      note={<span>{words.begin.linkGood}</span>}
    >
      <form onSubmit={submit}>
        <Stack gap="lg" mt="xl">
          {token === '' && <FaultLine>{words.begin.noToken}</FaultLine>}
          <TextInput
            size="md"
            label={words.begin.name}
            autoComplete="name"
            required
            withAsterisk={false}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <TextInput
            size="md"
            type="email"
            label={words.email}
            autoComplete="username"
            required
            withAsterisk={false}
            value={email}
            onChange={(event) => setEmail(event.currentTarget.value)}
            error={code === 'invalid_email' ? fault : undefined}
          />
          <NewPassword
            label={words.password}
            value={password}
            onValue={setPassword}
            fault={code === 'weak_password' ? fault : null}
          />
          {fault !== null && code !== 'weak_password' && code !== 'invalid_email' && (
            <FaultLine>{fault}</FaultLine>
          )}
          <Button
            type="submit"
            size="md"
            fullWidth
            loading={begin.isPending}
            disabled={token === ''}
            rightSection={<Icon of={ArrowRight} />}
          >
            {words.begin.submit}
          </Button>
        </Stack>
      </form>
    </EntryPage>
  );
}

function FirstSteps() {
  const { texts } = useCommonTexts();
  const { steps, step, lostLink, makesAnother } = texts.signIn.begin;
  const listed = [
    [step.account, step.accountText],
    [step.demo, step.demoText],
    [step.person, step.personText],
    [step.own, step.ownText],
  ] as const;
  return (
    <div style={{ maxWidth: 440 }}>
      <Title order={2} fz={20} lh="28px" style={{ letterSpacing: '-0.01em' }} mb="md">
        {steps}
      </Title>
      {listed.map(([title, text], position) => (
        <div key={title} className="p-entry-step">
          <span className="p-entry-number" data-on={position === 0}>
            {position + 1}
          </span>
          <div>
            <Text fw={600}>{title}</Text>
            <Text size="xs" c="dimmed">
              {text}
            </Text>
          </div>
        </div>
      ))}
      <Group className="p-card" mt="lg" p="md" gap="md" wrap="nowrap">
        <Icon of={Terminal} color="var(--p-dim)" />
        <Text size="xs" c="var(--p-text-2)">
          {lostLink}{' '}
          <span className="p-mono" dir="ltr">
            npm run parley -- person link
          </span>{' '}
          {makesAnother}
        </Text>
      </Group>
    </div>
  );
}
