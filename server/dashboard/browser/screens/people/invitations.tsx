import { Button, Group, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { toProblem } from '../../api/problem.ts';
import { type Invitation, invitationsQuery, useRevokeInvitation } from '../../api/queries/members.ts';
import { useMailInvitation } from '../../api/queries/sign-in-rules.ts';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { StatusPill } from '../../parts/pills.tsx';
import { SecretOnce } from '../../parts/secret-once.tsx';
import { ErrorState } from '../../parts/states/error-state.tsx';
import { FaultLine } from '../../parts/states/fault-line.tsx';
import { Skeletons } from '../../parts/states/skeletons.tsx';
import { TimeAgo } from '../../parts/time-ago.tsx';
import { useTexts } from '../../texts/texts.tsx';

/** The invitations that nobody has accepted yet. */
export function Invitations({ workspace }: { readonly workspace: string }) {
  const { texts } = useTexts();
  const words = texts.people;
  const query = useQuery(invitationsQuery(workspace));
  const revoke = useRevokeInvitation(workspace);
  const mail = useMailInvitation(workspace);
  const columns: readonly Column<Invitation>[] = [
    { key: 'email', title: words.email, cell: ({ email }) => email },
    { key: 'role', title: words.role, cell: ({ role }) => words.roles[role] },
    { key: 'mail', title: words.mail, cell: (invitation) => <MailState invitation={invitation} /> },
    { key: 'by', title: words.invitedBy, cell: ({ invited_by }) => invited_by },
    { key: 'expires', title: words.expires, cell: ({ expires_at }) => <TimeAgo at={expires_at} /> },
    {
      key: 'revoke',
      title: texts.parts.table.actions,
      align: 'end',
      cell: ({ id, email, mailed_at }) => (
        <Group gap="xs" justify="flex-end" wrap="nowrap">
          {mailed_at !== null && (
            <Button
              variant="default"
              size="xs"
              aria-label={words.sendAgainTo(email)}
              loading={mail.isPending && mail.variables === id}
              onClick={() => mail.mutate(id)}
            >
              {words.sendAgain}
            </Button>
          )}
          <Button
            variant="default"
            size="xs"
            aria-label={words.revokeOf(email)}
            loading={revoke.isPending && revoke.variables === id}
            onClick={() => revoke.mutate(id)}
          >
            {words.revoke}
          </Button>
        </Group>
      ),
    },
  ];
  return (
    <section className="p-people-invitations" aria-label={words.invitations}>
      <Title order={2} mb="sm">
        {words.invitations}
      </Title>
      {revoke.error !== null && <FaultLine>{toProblem(revoke.error).message}</FaultLine>}
      {mail.error !== null && <FaultLine>{toProblem(mail.error).message}</FaultLine>}
      {mail.data !== undefined && (
        <div className="p-people-sent">
          <SecretOnce name={words.invitationFor(mail.data.email)} secret={mail.data.link} />
          {mail.data.mail_fault !== null && <FaultLine>{words.notMailed(mail.data.mail_fault)}</FaultLine>}
        </div>
      )}
      {query.isPending && <Skeletons rows={1} />}
      {query.error !== null && <ErrorState error={query.error} onRetry={() => void query.refetch()} />}
      {query.data?.length === 0 && <Text c="dimmed">{words.noInvitations}</Text>}
      {query.data !== undefined && query.data.length > 0 && (
        <DataTable
          label={words.invitations}
          columns={columns}
          rows={query.data}
          rowKey={({ id }) => id}
          minWidth={760}
        />
      )}
    </section>
  );
}

/** Whether the mail server took the invitation, with its words where it did not. */
function MailState({ invitation: { mailed_at, mail_fault } }: { readonly invitation: Invitation }) {
  const words = useTexts().texts.people;
  if (mailed_at === null) return <Text c="dimmed">{words.byHand}</Text>;
  if (mail_fault === null) return <StatusPill tone="green">{words.isMailed}</StatusPill>;
  return (
    <div>
      <StatusPill tone="red">{words.isNotMailed}</StatusPill>
      <Text size="xs" c="var(--p-red)" maw={240}>
        {mail_fault}
      </Text>
    </div>
  );
}
