import { Button, Stack, Text, TextInput, Title } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { toProblem } from '../../api/problem.ts';
import { type Member, useChangeMember, useRecoveryLink, useRemoveMember } from '../../api/queries/members.ts';
import { SecretOnce } from '../../parts/secret-once.tsx';
import { FaultLine } from '../../parts/states/fault-line.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { type Access, AccessFields } from './access-fields.tsx';

interface MemberFormProps {
  readonly workspace: string;
  readonly member: Member;
  readonly isLastOwner: boolean;
  /** After the member was removed. */
  readonly onGone: () => void;
}

/** The role of a member, their way back in, and their removal. */
export function MemberForm({ workspace, member, isLastOwner, onGone }: MemberFormProps) {
  const { texts } = useTexts();
  const words = texts.people;
  const [access, setAccess] = useState<Access>({ role: member.role, workspaces: member.workspaces });
  const change = useChangeMember(workspace, member.id);
  const recovery = useRecoveryLink(workspace, member.id);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const { role, workspaces } = access;
    change.mutate({ role, workspaces: workspaces === null ? null : [...workspaces] });
  };
  return (
    <Stack gap="xl">
      <form onSubmit={submit}>
        <Stack gap="lg">
          <Text c="dimmed">{member.email}</Text>
          {isLastOwner && <Text c="var(--p-text-2)">{words.lastOwner}</Text>}
          <AccessFields value={access} onValue={setAccess} disabled={isLastOwner} />
          {change.error !== null && <FaultLine>{toProblem(change.error).message}</FaultLine>}
          <div role="status">{change.isSuccess && <Text c="var(--p-green)">{words.saved}</Text>}</div>
          <div>
            <Button
              type="submit"
              loading={change.isPending}
              disabled={isLastOwner || access.workspaces?.length === 0}
            >
              {words.save}
            </Button>
          </div>
        </Stack>
      </form>
      <section aria-label={words.lostAccess} className="p-people-part">
        <Title order={3} fz={14}>
          {words.lostAccess}
        </Title>
        <Text c="dimmed">{words.lostAccessText}</Text>
        {recovery.error !== null && <FaultLine>{toProblem(recovery.error).message}</FaultLine>}
        {recovery.data === undefined ? (
          <div>
            <Button variant="default" loading={recovery.isPending} onClick={() => recovery.mutate()}>
              {words.makeRecovery}
            </Button>
          </div>
        ) : (
          <SecretOnce name={words.recoveryFor(member.name)} secret={recovery.data.link} />
        )}
      </section>
      <Removal workspace={workspace} member={member} isLastOwner={isLastOwner} onGone={onGone} />
    </Stack>
  );
}

function Removal({ workspace, member, isLastOwner, onGone }: MemberFormProps) {
  const { texts } = useTexts();
  const words = texts.people;
  const [typed, setTyped] = useState('');
  const remove = useRemoveMember(workspace, member.id);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    remove.mutate(undefined, { onSuccess: onGone });
  };
  return (
    <section aria-label={words.removeTitle} className="p-people-part">
      <Title order={3} fz={14}>
        {words.removeTitle}
      </Title>
      <Text c="dimmed">{isLastOwner ? words.lastOwner : words.removeText(member.name)}</Text>
      {!isLastOwner && (
        <form onSubmit={submit}>
          <Stack gap="md">
            <TextInput
              label={words.typeToRemove(member.email)}
              autoComplete="off"
              value={typed}
              onChange={(event) => setTyped(event.currentTarget.value)}
            />
            {remove.error !== null && <FaultLine>{toProblem(remove.error).message}</FaultLine>}
            <div>
              <Button
                type="submit"
                color="red"
                loading={remove.isPending}
                disabled={typed.trim().toLowerCase() !== member.email}
              >
                {words.removeNow}
              </Button>
            </div>
          </Stack>
        </form>
      )}
    </section>
  );
}
