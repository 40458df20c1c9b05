import { Button } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import {
  changeSkill,
  createSkill,
  deleteSkill,
  restoreSkill,
  rotateSkill,
  type Skill,
  type SkillFields,
  skillsQuery,
} from '../../../api/queries/skills.ts';
import { useMay, useWorkspaceId } from '../../../api/queries/workspace.ts';
import { ChevronLeft, RefreshCw } from '../../../icons.ts';
import { Icon } from '../../../parts/icon.tsx';
import { Section } from '../../../parts/page/section.tsx';
import { Page } from '../../../parts/page.tsx';
import { SecretOnce } from '../../../parts/secret-once.tsx';
import { ErrorState } from '../../../parts/states/error-state.tsx';
import { NoRight } from '../../../parts/states/no-right.tsx';
import { Skeletons } from '../../../parts/states/skeletons.tsx';
import { useTexts } from '../../../texts/texts.tsx';
import { useUndoable } from '../../../undo/use-undoable.ts';
import type { Change } from '../../knowledge/changes/change-queries.ts';
import { useChangeWords } from '../../knowledge/changes/change-words.ts';
import { StageButton } from '../../knowledge/changes/stage-button.tsx';
import { NothingHere } from '../../nothing-here.tsx';
import { DeleteSection } from '../delete-section.tsx';
import { RotateDrawer } from '../drawers/rotate-drawer.tsx';
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
          toChange={toNewSkill}
          onSubmit={(fields) => create.mutate(fields)}
        />
      )}
      {skill !== undefined && (
        <StoredSkill key={skill.id} skill={skill} onChanged={refresh} onSecret={setSecret} />
      )}
    </Page>
  );
}

interface StoredSkillProps {
  readonly skill: Skill;
  readonly onChanged: () => Promise<void>;
  readonly onSecret: (secret: string) => void;
}

function StoredSkill({ skill, onChanged, onSecret }: StoredSkillProps) {
  const { texts } = useTexts();
  const { stageRemoval } = useChangeWords();
  const [isRotating, setRotating] = useState(false);
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
          toChange={(fields) => toChange(skill, fields)}
          onSubmit={({ name, description, url, parameters, timeout_seconds, runs_for, enabled }) =>
            change.mutate({ name, description, url, parameters, timeout_seconds, runs_for, enabled })
          }
        />
      </Section>
      <Section title={words.test} text={words.testText}>
        <SkillTest skill={skill} />
      </Section>
      <Section
        title={texts.settings.webhooks.rotate}
        text={words.rotateText}
        beside={
          <Button
            variant="default"
            leftSection={<Icon of={RefreshCw} size={14} />}
            onClick={() => setRotating(true)}
          >
            {texts.settings.webhooks.rotate}
          </Button>
        }
      >
        <RotateDrawer
          name={isRotating ? words.secretOf(skill.name) : null}
          rotate={(grace) => rotateSkill(id, skill.id, grace)}
          onRotated={(rotated) => {
            onSecret(rotated.secret);
            setRotating(false);
          }}
          onClose={() => setRotating(false)}
        />
      </Section>
      <DeleteSection
        besides={
          <StageButton
            workspace={id}
            change={{ kind: 'skill_removed', skill_id: skill.id }}
            name={skill.name}
            label={stageRemoval}
          />
        }
        text={words.deleteText}
        isBusy={remove.isPending}
        error={remove.error}
        onDelete={() => remove.mutate()}
      />
    </>
  );
}

function toNewSkill({
  description,
  url,
  parameters,
  timeout_seconds,
  runs_for,
  enabled,
  ...rest
}: SkillFields): Change | null {
  const { name } = rest;
  if (name === '' || description.trim() === '' || url === '') return null;
  const fields = { description, url, parameters, timeout_seconds, runs_for, enabled };
  return { kind: 'skill_new', name, ...fields };
}

/** The fields that differ from those of the skill; null if none does. */
function toChange(skill: Skill, { name: _, ...fields }: SkillFields): Change | null {
  const { description, url, parameters, timeout_seconds, runs_for, enabled } = fields;
  const differs = (one: unknown, other: unknown) => JSON.stringify(one) !== JSON.stringify(other);
  const changed = {
    ...(differs(description, skill.description) && { description }),
    ...(differs(url, skill.url) && { url }),
    ...(differs(parameters, skill.parameters) && { parameters }),
    ...(differs(timeout_seconds, skill.timeout_seconds) && { timeout_seconds }),
    ...(differs(runs_for, skill.runs_for) && { runs_for }),
    ...(differs(enabled, skill.enabled) && { enabled }),
  };
  if (Object.keys(changed).length === 0 || description.trim() === '' || url === '') return null;
  return { kind: 'skill_changed', skill_id: skill.id, fields: changed };
}
