import { Button, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMe } from '../../api/queries/me.ts';
import { type Member, membersQuery } from '../../api/queries/members.ts';
import { useMay, useWorkspace } from '../../api/queries/workspace.ts';
import { Plus, ShieldCheck } from '../../icons.ts';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { Icon } from '../../parts/icon.tsx';
import { Page } from '../../parts/page.tsx';
import { StatusPill } from '../../parts/pills.tsx';
import { ErrorState } from '../../parts/states/error-state.tsx';
import { Skeletons } from '../../parts/states/skeletons.tsx';
import { TimeAgo } from '../../parts/time-ago.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { SideDrawer } from '../settings/drawers/side-drawer.tsx';
import { useSearchValues } from '../use-search-values.ts';
import { Invitations } from './invitations.tsx';
import { InviteForm } from './invite-form.tsx';
import { MemberForm } from './member-form.tsx';
import './people.css';

/** The members of an owner with their roles, and the open invitations. */
export function People() {
  const { texts } = useTexts();
  const words = texts.people;
  const workspace = useWorkspace()?.id ?? '';
  const mayChange = useMay('people:write');
  const query = useQuery(membersQuery(workspace));
  const { values, change } = useSearchValues();
  const close = () => void change({ invite: '', member: '' });
  const open = query.data?.find(({ id }) => id === values.member);
  const action = (
    <Button
      leftSection={<Icon of={Plus} size={14} />}
      onClick={() => void change({ invite: '1', member: '' })}
    >
      {words.invite}
    </Button>
  );
  return (
    <Page title={words.title} intro={words.intro} action={mayChange ? action : undefined}>
      {!mayChange && (
        <Text c="dimmed" mb="md">
          {words.readOnly}
        </Text>
      )}
      {query.isPending && <Skeletons rows={3} height={52} />}
      {query.error !== null && <ErrorState error={query.error} onRetry={() => void query.refetch()} />}
      {query.data !== undefined && (
        <Members members={query.data} mayChange={mayChange} workspace={workspace} />
      )}
      {mayChange && <Invitations workspace={workspace} />}
      <SideDrawer
        title={values.invite === undefined ? (open?.name ?? words.member) : words.inviteTitle}
        opened={mayChange && (values.invite !== undefined || values.member !== undefined)}
        onClose={close}
      >
        {values.invite !== undefined && <InviteForm workspace={workspace} />}
        {values.member !== undefined && open !== undefined && (
          <MemberForm
            key={open.id}
            workspace={workspace}
            member={open}
            isLastOwner={isLastOwner(open, query.data ?? [])}
            onGone={close}
          />
        )}
        {values.member !== undefined && open === undefined && query.data !== undefined && (
          <Text c="dimmed">{words.gone}</Text>
        )}
      </SideDrawer>
    </Page>
  );
}

function isLastOwner(member: Member, all: readonly Member[]): boolean {
  const owners = all.filter(({ role, workspaces }) => role === 'owner' && workspaces === null);
  return owners.length === 1 && owners[0]?.id === member.id;
}

interface MembersProps {
  readonly members: readonly Member[];
  readonly mayChange: boolean;
  readonly workspace: string;
}

function Members({ members, mayChange, workspace }: MembersProps) {
  const { texts } = useTexts();
  const words = texts.people;
  const { person, workspaces } = useMe();
  const { values } = useSearchValues();
  const nameOf = (id: string) => workspaces.find((each) => each.id === id)?.name;
  const columns: readonly Column<Member>[] = [
    {
      key: 'member',
      title: words.member,
      cell: ({ id, name, email }) => (
        <span className="p-people-name">
          <span>
            {name}
            {id === person.id && <span className="p-tag">{words.you}</span>}
          </span>
          <span className="p-people-email">{email}</span>
        </span>
      ),
    },
    { key: 'role', title: words.role, cell: ({ role }) => words.roles[role] },
    {
      key: 'workspaces',
      title: words.workspaces,
      cell: ({ workspaces: ids }) => {
        if (ids === null) return words.all;
        const [first] = ids;
        const name = first === undefined ? undefined : nameOf(first);
        return ids.length === 1 && name !== undefined ? name : words.some(ids.length);
      },
    },
    {
      key: 'factor',
      title: words.secondFactor,
      cell: ({ two_factor_enabled: isOn }) => (
        <StatusPill tone={isOn ? 'green' : 'grey'} {...(isOn && { icon: ShieldCheck })}>
          {isOn ? words.on : words.off}
        </StatusPill>
      ),
    },
    { key: 'joined', title: words.joined, cell: ({ joined_at }) => <TimeAgo at={joined_at} /> },
  ];
  return (
    <DataTable
      label={words.table}
      columns={columns}
      rows={members}
      rowKey={({ id }) => id}
      rowHeight={52}
      minWidth={640}
      selected={values.member ?? null}
      {...(mayChange && { rowLink: ({ id }: Member) => `/w/${workspace}/settings/people?member=${id}` })}
    />
  );
}
