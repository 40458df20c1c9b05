import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import {
  changeSkill,
  createSkill,
  deleteSkill,
  restoreSkill,
  type Skill,
  type SkillFields,
  skillsQuery,
} from '../../../api/queries/skills.ts';
import { useMay, useWorkspaceId } from '../../../api/queries/workspace.ts';
import { ChevronLeft } from '../../../icons.ts';
import { Icon } from '../../../parts/icon.tsx';
import { Section } from '../../../parts/page/section.tsx';
import { Page } from '../../../parts/page.tsx';
import { SecretOnce } from '../../../parts/secret-once.tsx';
import { ErrorState } from '../../../parts/states/error-state.tsx';
import { NoRight } from '../../../parts/states/no-right.tsx';
import { Skeletons } from '../../../parts/states/skeletons.tsx';
import { useTexts } from '../../../texts/texts.tsx';
import { useUndoable } from '../../../undo/use-undoable.ts';
import { NothingHere } from '../../nothing-here.tsx';
import { DeleteSection } from '../delete-section.tsx';
import { SkillForm } from './skill-form.tsx';
import { SkillTest } from './skill-test.tsx';

const newSkill: SkillFields = {
  name: '',
  description: '',
  url: '',
  parameters: {
    type: 'object',
    properties: { order_id: { type: 'string', description: 'The number on the confirmation' } },
    required: ['order_id'],
  },
  timeout_seconds: 10,
  runs_for: 'everyone',
  enabled: true,
};

/** A skill, new or stored: its fields, a test in place, and its end. */
export function SkillPage() {
  const { texts } = useTexts();
  const words = texts.settings.skills;
  const id = useWorkspaceId();
  const may = useMay('developers:read');
  const navigate = useNavigate();
  const client = useQueryClient();
  const { skill: skillId } = useParams({ strict: false });
  const query = useQuery({ ...skillsQuery(id), enabled: may });
  const [secret, setSecret] = useState<string | null>(null);
  const isNew = skillId === 'new';
  const skill = query.data?.skills.find((each) => each.id === skillId);
  const refresh = () => client.invalidateQueries({ queryKey: ['skills', id] });
  const create = useMutation({
    mutationFn: (fields: SkillFields) => createSkill(id, fields),
    onSuccess: async (made) => {
      setSecret(made.secret);
      await refresh();
      await navigate({ to: `/w/${id}/settings/skills/${made.id}`, replace: true });
    },
  });
  if (query.isSuccess && !isNew && skill === undefined) return <NothingHere />;
  return (
    <Page
      title={isNew ? words.newTitle : (skill?.name ?? texts.settings.names.skills)}
      width="narrow"
      intro={
        <Link to={`/w/${id}/settings/skills`}>
          <Icon of={ChevronLeft} size={12} /> {words.back}
        </Link>
      }
    >
      {!may && <NoRight detail={words.right} />}
      {query.error !== null && <ErrorState error={query.error} onRetry={() => void query.refetch()} />}
      {may && !isNew && query.isPending && <Skeletons rows={4} height={76} />}
      {secret !== null && skill !== undefined && (
        <div style={{ marginBlockEnd: 24 }}>
          <SecretOnce name={words.secretOf(skill.name)} secret={secret} />
        </div>
      )}
      {may && isNew && (
        <SkillForm
          value={newSkill}
          isNew
          submitLabel={words.create}
          isBusy={create.isPending}
          error={create.error}
          onSubmit={(fields) => create.mutate(fields)}
        />
      )}
      {skill !== undefined && <StoredSkill key={skill.id} skill={skill} onChanged={refresh} />}
    </Page>
  );
}

interface StoredSkillProps {
  readonly skill: Skill;
  readonly onChanged: () => Promise<void>;
}

function StoredSkill({ skill, onChanged }: StoredSkillProps) {
  const { texts } = useTexts();
  const words = texts.settings.skills;
  const id = useWorkspaceId();
  const navigate = useNavigate();
  const change = useMutation({
    mutationFn: ({ name: _, ...fields }: SkillFields) => changeSkill(id, skill.id, fields),
    onSuccess: onChanged,
  });
  const remove = useUndoable({
    act: async () => {
      await deleteSkill(id, skill.id);
      await navigate({ to: `/w/${id}/settings/skills` });
    },
    undo: () => restoreSkill(id, skill.id),
    done: () => words.deleted(skill.name),
    refresh: onChanged,
  });
  return (
    <>
      <Section title={skill.name}>
        <SkillForm
          value={skill}
          isSaved={change.isSuccess}
          submitLabel={texts.parts.save}
          isBusy={change.isPending}
          error={change.error}
          onSubmit={({ name, description, url, parameters, timeout_seconds, runs_for, enabled }) =>
            change.mutate({ name, description, url, parameters, timeout_seconds, runs_for, enabled })
          }
        />
      </Section>
      <Section title={words.test} text={words.testText}>
        <SkillTest skill={skill} />
      </Section>
      <DeleteSection
        text={words.deleteText}
        isBusy={remove.isPending}
        error={remove.error}
        onDelete={() => remove.mutate()}
      />
    </>
  );
}
