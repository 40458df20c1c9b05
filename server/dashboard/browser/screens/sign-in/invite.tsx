import { Button, List, Stack, Text, TextInput, Title } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { toProblem } from '../../api/problem.ts';
import { type Me, meQuery } from '../../api/queries/me.ts';
import { send } from '../../api/send.ts';
import {
  acceptInvitation,
  endSession,
  goToProvider,
  type Invitation,
  lookAtInvitation,
  type ProviderLink,
} from '../../api/sign-in.ts';
import { Building2 } from '../../icons.ts';
import { Icon } from '../../parts/icon.tsx';
import { FaultLine } from '../../parts/states/fault-line.tsx';
import { Skeletons } from '../../parts/states/skeletons.tsx';
import { useCommonTexts } from '../../texts/common-texts.tsx';
import { describeFault } from './describe-fault.ts';
import { EntryPage } from './entry-page.tsx';
import { NewPassword } from './new-password.tsx';
import { Samples } from './samples.tsx';

/** An invitation, opened by its link. */
export function Invite() {
  const { texts } = useCommonTexts();
  const words = texts.signIn.invite;
  const [token] = useState(() => location.hash.slice(1));
  const looking = useQuery({
    queryKey: ['invitation', token],
    queryFn: () => lookAtInvitation(token),
    enabled: token !== '',
    retry: false,
  });
  const asked = useQuery({
    queryKey: [...meQuery.queryKey, 'invited'],
    queryFn: () => send<Me>('/admin/v1/me', { keepPage: true }),
    retry: false,
  });
  if (token === '' || looking.isError) {
    return (
      <EntryPage title={words.broken} aside={<Samples />}>
        <Stack mt="lg">
          <FaultLine>{token === '' ? words.noToken : describeFault(looking.error, texts)}</FaultLine>
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

function InviteForm({ token, invitation, me }: InviteFormProps) {
  const { texts, language } = useCommonTexts();
  const words = texts.signIn.invite;
  const { email, role, inviter, workspaces, has_account, provider = null } = invitation;
  const isMine = me?.person.email.toLowerCase() === email.toLowerCase();
  const listed = new Intl.ListFormat(language).format(workspaces);
  return (
    <EntryPage
      title={words.title(listed)}
      intro={words.text(inviter, words.roles[role])}
      aside={<Rights role={role} />}
    >
      {me !== null && !isMine && <OtherPerson name={me.person.name} email={email} />}
      {me === null && has_account && <KnownPerson token={token} email={email} />}
      {isMine && <Join token={token} email={email} name={me.person.name} />}
      {me === null && !has_account && provider === null && <Join token={token} email={email} name={null} />}
      {me === null && !has_account && provider !== null && <JoinAt provider={provider} email={email} />}
    </EntryPage>
  );
}

interface JoinProps {
  readonly token: string;
  readonly email: string;
  /** The name of the signed-in person; null for a new one, who chooses a name and a password. */
  readonly name: string | null;
}

function Join({ token, email, name: known }: JoinProps) {
  const { texts } = useCommonTexts();
  const words = texts.signIn.invite;
  const [name, setName] = useState('');
  const [password, setPassword] = useState('');
  const accept = useMutation({
    mutationFn: () => acceptInvitation(known === null ? { token, name: name.trim(), password } : { token }),
    onSuccess: () => location.assign('/dashboard'),
  });
  const isWeak = accept.error !== null && toProblem(accept.error).code === 'weak_password';
  const fault = accept.error === null ? null : describeFault(accept.error, texts);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    accept.mutate();
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="lg" mt="xl">
        <TextInput size="md" label={texts.signIn.email} value={email} readOnly autoComplete="username" />
        {known === null && (
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
              fault={isWeak ? fault : null}
            />
          </>
        )}
        {fault !== null && !isWeak && <FaultLine>{fault}</FaultLine>}
        <Button type="submit" size="md" fullWidth loading={accept.isPending}>
          {known === null ? words.submit : words.joinAs(known)}
        </Button>
      </Stack>
    </form>
  );
}

/** The company of the workspaces asks for its own sign-in, which also accepts the invitation. */
function JoinAt({ provider, email }: { readonly provider: ProviderLink; readonly email: string }) {
  const { texts } = useCommonTexts();
  const words = texts.signIn;
  return (
    <Stack gap="lg" mt="xl">
      <Text>{words.invite.atProvider(provider.name, email)}</Text>
      <Button
        size="md"
        fullWidth
        leftSection={<Icon of={Building2} />}
        onClick={() => goToProvider(provider, '/dashboard')}
      >
        {words.provider(provider.name)}
      </Button>
    </Stack>
  );
}

/** The invited address has an account, and nobody is signed in here. */
function KnownPerson({ token, email }: { readonly token: string; readonly email: string }) {
  const { texts } = useCommonTexts();
  const words = texts.signIn.invite;
  const address = `/dashboard/sign-in?${new URLSearchParams({ return: '/dashboard/invite' })}#${token}`;
  return (
    <Stack gap="lg" mt="xl">
      <Text>{words.known(email)}</Text>
      <Button component="a" href={address} size="md" fullWidth>
        {words.signIn}
      </Button>
    </Stack>
  );
}

/** Another person is signed in here. */
function OtherPerson({ name, email }: { readonly name: string; readonly email: string }) {
  const { texts } = useCommonTexts();
  const words = texts.signIn.invite;
  const leave = useMutation({ mutationFn: endSession, onSuccess: () => location.reload() });
  return (
    <Stack gap="lg" mt="xl">
      <Text>{words.otherPerson(name, email)}</Text>
      {leave.error !== null && <FaultLine>{describeFault(leave.error, texts)}</FaultLine>}
      <Button size="md" fullWidth loading={leave.isPending} onClick={() => leave.mutate()}>
        {words.signOut}
      </Button>
    </Stack>
  );
}

function Rights({ role }: { readonly role: Invitation['role'] }) {
  const { texts } = useCommonTexts();
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
