import { Anchor, Button, List, Stack, Text, TextInput, Title } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { send } from '../../api/client.ts';
import { toProblem } from '../../api/problem.ts';
import { type Me, meQuery } from '../../api/queries/me.ts';
import { acceptInvitation, type Invitation, lookAtInvitation } from '../../api/sign-in.ts';
import { FaultLine } from '../../parts/fault-line.tsx';
import { Skeletons } from '../../parts/skeletons.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { describeFault } from './describe-fault.ts';
import { EntryPage } from './entry-page.tsx';
import { NewPassword } from './new-password.tsx';
import { Samples } from './samples.tsx';

/** An invitation, opened by its link. */
export function Invite() {
  const { texts } = useTexts();
  const words = texts.signIn.invite;
  const [token] = useState(() => location.hash.slice(1));
  const looking = useQuery({
    queryKey: ['invitation', token],
    queryFn: () => lookAtInvitation(token),
    retry: false,
  });
  const asked = useQuery({
    queryKey: [...meQuery.queryKey, 'invited'],
    queryFn: () => send<Me>('/admin/v1/me', { keepPage: true }),
    retry: false,
  });
  if (looking.isError) {
    return (
      <EntryPage title={words.reading} aside={<Samples />}>
        <Stack mt="lg">
          <FaultLine>{describeFault(looking.error, texts)}</FaultLine>
        </Stack>
      </EntryPage>
    );
  }
  if (looking.data === undefined || asked.isPending) {
    return (
      <EntryPage title={words.reading} aside={<Samples />}>
        <Skeletons rows={3} />
      </EntryPage>
    );
  }
  return <InviteForm token={token} invitation={looking.data} me={asked.data ?? null} />;
}

interface InviteFormProps {
  readonly token: string;
  readonly invitation: Invitation;
  readonly me: Me | null;
}

function InviteForm({ token, invitation: { email, role, inviter, workspaces }, me }: InviteFormProps) {
  const { texts, language } = useTexts();
  const words = texts.signIn.invite;
  const [name, setName] = useState('');
  const [password, setPassword] = useState('');
  const isKnown = me?.person.email.toLowerCase() === email.toLowerCase();
  const accept = useMutation({
    mutationFn: () => acceptInvitation(isKnown ? { token } : { token, name: name.trim(), password }),
    onSuccess: () => location.assign('/dashboard'),
  });
  const weak = accept.error !== null && toProblem(accept.error).code === 'weak_password';
  const fault = accept.error === null ? null : describeFault(accept.error, texts);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    accept.mutate();
  };
  const listed = new Intl.ListFormat(language).format(workspaces);
  const signInAddress = `/dashboard/sign-in?${new URLSearchParams({ return: `/dashboard/invite#${token}` })}`;
  return (
    <EntryPage
      title={words.title(listed)}
      intro={words.text(inviter, words.roles[role])}
      aside={<Rights role={role} />}
    >
      <form onSubmit={submit}>
        <Stack gap="lg" mt="xl">
          <TextInput size="md" label={texts.signIn.email} value={email} readOnly autoComplete="username" />
          {!isKnown && (
            <>
              <TextInput
                size="md"
                label={texts.signIn.begin.name}
                autoComplete="name"
                required
                withAsterisk={false}
                value={name}
                onChange={(event) => setName(event.currentTarget.value)}
              />
              <NewPassword
                label={texts.signIn.password}
                value={password}
                onValue={setPassword}
                fault={weak ? fault : null}
              />
            </>
          )}
          {fault !== null && !weak && <FaultLine>{fault}</FaultLine>}
          <Button type="submit" size="md" fullWidth loading={accept.isPending}>
            {isKnown && me !== null ? words.joinAs(me.person.name) : words.submit}
          </Button>
        </Stack>
      </form>
      {!isKnown && (
        <Text size="xs" c="dimmed" mt="lg">
          {words.known}{' '}
          <Anchor href={signInAddress} inherit underline="always">
            {words.signIn}
          </Anchor>
        </Text>
      )}
    </EntryPage>
  );
}

function Rights({ role }: { readonly role: Invitation['role'] }) {
  const { texts } = useTexts();
  const words = texts.signIn.invite;
  return (
    <div style={{ maxWidth: 440 }}>
      <Title order={2} fz={20} lh="28px" mb="md">
        {words.right}
      </Title>
      <List spacing="sm" c="var(--p-text-2)">
        {words.rights[role].map((right) => (
          <List.Item key={right}>{right}</List.Item>
        ))}
      </List>
    </div>
  );
}
