import { Button, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { toProblem } from '../../api/problem.ts';
import { useInvite } from '../../api/queries/members.ts';
import { SecretOnce } from '../../parts/secret-once.tsx';
import { FaultLine } from '../../parts/states/fault-line.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { type Access, AccessFields } from './access-fields.tsx';

/** Invites a person: the link is mailed where the installation or the workspace sends mail, and shown once. */
export function InviteForm({ workspace }: { readonly workspace: string }) {
  const { texts } = useTexts();
  const words = texts.people;
  const [email, setEmail] = useState('');
  const [access, setAccess] = useState<Access>({ role: 'agent', workspaces: null });
  const invite = useInvite(workspace);
  if (invite.data !== undefined) {
    const { link, mailed_at, mail_fault } = invite.data;
    const isMailed = mailed_at !== null && mail_fault === null;
    return (
      <Stack gap="md">
        <SecretOnce name={words.invitationFor(invite.data.email)} secret={link} />
        {mail_fault !== null && <FaultLine>{words.notMailed(mail_fault)}</FaultLine>}
        <Text c="var(--p-text-2)">{isMailed ? words.mailed(invite.data.email) : words.sendIt}</Text>
      </Stack>
    );
  }
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const { role, workspaces } = access;
    invite.mutate({ email: email.trim(), role, workspaces: workspaces === null ? null : [...workspaces] });
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="lg">
        <TextInput
          type="email"
          label={words.email}
          description={words.emailHelp}
          autoComplete="off"
          data-autofocus
          required
          withAsterisk={false}
          value={email}
          onChange={(event) => setEmail(event.currentTarget.value)}
        />
        <AccessFields value={access} onValue={setAccess} />
        {invite.error !== null && <FaultLine>{toProblem(invite.error).message}</FaultLine>}
        <div>
          <Button type="submit" loading={invite.isPending} disabled={access.workspaces?.length === 0}>
            {words.makeLink}
          </Button>
        </div>
      </Stack>
    </form>
  );
}
