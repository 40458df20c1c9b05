import { Button, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type Skill, skillsQuery } from '../../../api/queries/skills.ts';
import { useMay, useWorkspaceId } from '../../../api/queries/workspace.ts';
import { CircleCheck, Pause, Plus, Wrench } from '../../../icons.ts';
import { type Column, DataTable } from '../../../parts/data-table.tsx';
import { Icon } from '../../../parts/icon.tsx';
import { Page } from '../../../parts/page.tsx';
import { StatusPill } from '../../../parts/pills.tsx';
import { EmptyState } from '../../../parts/states/empty-state.tsx';
import { ErrorState } from '../../../parts/states/error-state.tsx';
import { NoRight } from '../../../parts/states/no-right.tsx';
import { Skeletons } from '../../../parts/states/skeletons.tsx';
import { useTexts } from '../../../texts/texts.tsx';

/** The HTTP skills of the workspace. */
export function Skills() {
  const { texts } = useTexts();
  const words = texts.settings.skills;
  const id = useWorkspaceId();
  const may = useMay('developers:read');
  const query = useQuery({ ...skillsQuery(id), enabled: may });
  const path = `/w/${id}/settings/skills`;
  const columns: readonly Column<Skill>[] = [
    { key: 'name', title: words.name, cell: ({ name }) => <span className="p-mono">{name}</span> },
    {
      key: 'description',
      title: words.description,
      cell: ({ description }) => (
        <Text size="xs" lineClamp={1} title={description}>
          {description}
        </Text>
      ),
    },
    { key: 'runs', title: words.runsFor, width: 150, cell: (skill) => words[skill.runs_for] },
    {
      key: 'state',
      title: words.enabled,
      width: 120,
      cell: ({ enabled }) => (
        <StatusPill tone={enabled ? 'green' : 'grey'} icon={enabled ? CircleCheck : Pause}>
          {enabled ? texts.settings.on : texts.settings.off}
        </StatusPill>
      ),
    },
  ];
  const add = (
    <Button component={Link} to={`${path}/new`} leftSection={<Icon of={Plus} size={14} />}>
      {words.create}
    </Button>
  );
  const skills = query.data?.skills ?? [];
  return (
    <Page
      title={texts.settings.names.skills}
      intro={texts.settings.about.skills}
      {...(may && { action: add })}
    >
      {!may && <NoRight detail={words.right} />}
      {may && query.isPending && <Skeletons rows={3} />}
      {query.error !== null && <ErrorState error={query.error} onRetry={() => void query.refetch()} />}
      {query.data !== undefined && skills.length === 0 && (
        <EmptyState icon={Wrench} title={words.empty} text={words.emptyText} />
      )}
      {skills.length > 0 && (
        <DataTable
          label={words.table}
          columns={columns}
          rows={skills}
          rowKey={(skill) => skill.id}
          rowLink={(skill) => `${path}/${skill.id}`}
        />
      )}
    </Page>
  );
}
