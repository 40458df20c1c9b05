import { Button, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { toProblem } from '../../api/problem.ts';
import { type Invitation, invitationsQuery, useRevokeInvitation } from '../../api/queries/members.ts';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { ErrorState } from '../../parts/error-state.tsx';
import { FaultLine } from '../../parts/fault-line.tsx';
import { Skeletons } from '../../parts/skeletons.tsx';
import { TimeAgo } from '../../parts/time-ago.tsx';
import { useTexts } from '../../texts/texts.tsx';

/** The invitations that nobody has accepted yet. */
export function Invitations({ workspace }: { readonly workspace: string }) {
  const { texts } = useTexts();
  const words = texts.people;
  const query = useQuery(invitationsQuery(workspace));
  const revoke = useRevokeInvitation(workspace);
  const columns: readonly Column<Invitation>[] = [
    { key: 'email', title: words.email, cell: ({ email }) => email },
    { key: 'role', title: words.role, cell: ({ role }) => words.roles[role] },
    { key: 'by', title: words.invitedBy, cell: ({ invited_by }) => invited_by },
    { key: 'expires', title: words.expires, cell: ({ expires_at }) => <TimeAgo at={expires_at} /> },
    {
      key: 'revoke',
      title: texts.parts.table.actions,
      align: 'end',
      cell: ({ id, email }) => (
        <Button
          variant="default"
          size="xs"
          aria-label={words.revokeOf(email)}
          loading={revoke.isPending && revoke.variables === id}
          onClick={() => revoke.mutate(id)}
        >
          {words.revoke}
        </Button>
      ),
    },
  ];
  return (
    <section className="p-people-invitations" aria-label={words.invitations}>
      <Title order={2} mb="sm">
        {words.invitations}
      </Title>
      {revoke.error !== null && <FaultLine>{toProblem(revoke.error).message}</FaultLine>}
      {query.isPending && <Skeletons rows={1} />}
      {query.error !== null && <ErrorState error={query.error} onRetry={() => void query.refetch()} />}
      {query.data?.length === 0 && <Text c="dimmed">{words.noInvitations}</Text>}
      {query.data !== undefined && query.data.length > 0 && (
        <DataTable
          label={words.invitations}
          columns={columns}
          rows={query.data}
          rowKey={({ id }) => id}
          minWidth={640}
        />
      )}
    </section>
  );
}
