import {
  Button,
  Group,
  NativeSelect,
  NumberInput,
  Stack,
  Switch,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { toProblem } from '../../../api/problem.ts';
import type { SkillFields } from '../../../api/queries/skills.ts';
import { useWorkspaceId } from '../../../api/queries/workspace.ts';
import { FaultLine } from '../../../parts/states/fault-line.tsx';
import { useTexts } from '../../../texts/texts.tsx';
import type { Change } from '../../knowledge/changes/change-queries.ts';
import { StageButton } from '../../knowledge/changes/stage-button.tsx';
import { readObject } from './read-object.ts';

interface SkillFormProps {
  readonly value: SkillFields;
  readonly submitLabel: string;
  readonly onSubmit: (fields: SkillFields) => void;
  readonly isBusy: boolean;
  readonly error: unknown;
  readonly isSaved?: boolean;
  /** The name can be chosen once. */
  readonly isNew?: boolean;
  /** The change to stage, made of the fields; null if nothing differs. Absent: it cannot be staged. */
  readonly toChange?: (fields: SkillFields) => Change | null;
}

/** The fields of a skill; its parameters are written as JSON. */
export function SkillForm({
  value,
  submitLabel,
  onSubmit,
  isBusy,
  error,
  isSaved = false,
  isNew = false,
  toChange,
}: SkillFormProps) {
  const { texts } = useTexts();
  const words = texts.settings.skills;
  const [fields, setFields] = useState(value);
  const [json, setJson] = useState(() => JSON.stringify(value.parameters, null, 2));
  const [isWrong, setWrong] = useState(false);
  const problem = error === null ? null : toProblem(error);
  const fault = (field: string) => (problem?.code === `invalid_${field}` ? problem.message : undefined);
  const isPlaced = ['name', 'url', 'parameters', 'description'].some((field) => fault(field) !== undefined);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const parameters = readObject(json);
    setWrong(parameters === null);
    if (parameters !== null) onSubmit({ ...fields, parameters });
  };
  const id = useWorkspaceId();
  const parameters = readObject(json);
  const staged = parameters === null ? null : (toChange?.({ ...fields, parameters }) ?? null);
  const plain = { required: true, withAsterisk: false };
  return (
    <form onSubmit={submit}>
      <Stack gap="lg">
        {isNew && (
          <TextInput
            {...plain}
            label={words.name}
            description={words.nameHint}
            classNames={{ input: 'p-mono' }}
            maw={320}
            error={problem?.code === 'skill_name_taken' ? problem.message : fault('name')}
            value={fields.name}
            onChange={(event) => setFields({ ...fields, name: event.currentTarget.value })}
          />
        )}
        <Textarea
          {...plain}
          label={words.description}
          description={words.descriptionHint}
          autosize
          minRows={2}
          error={fault('description')}
          value={fields.description}
          onChange={(event) => setFields({ ...fields, description: event.currentTarget.value })}
        />
        <TextInput
          {...plain}
          type="url"
          dir="ltr"
          placeholder="https://"
          label={words.url}
          description={words.urlHint}
          error={fault('url')}
          value={fields.url}
          onChange={(event) => setFields({ ...fields, url: event.currentTarget.value })}
        />
        <Textarea
          {...plain}
          label={words.parameters}
          description={words.parametersHint}
          classNames={{ input: 'p-mono' }}
          dir="ltr"
          spellCheck={false}
          autosize
          minRows={4}
          maxRows={20}
          error={isWrong ? words.invalidJson : fault('parameters')}
          value={json}
          onChange={(event) => setJson(event.currentTarget.value)}
        />
        <Group gap="lg" align="flex-start">
          <NativeSelect
            label={words.runsFor}
            value={fields.runs_for}
            data={[
              { value: 'everyone', label: words.everyone },
              { value: 'verified', label: words.verified },
            ]}
            onChange={(event) =>
              setFields({
                ...fields,
                runs_for: event.currentTarget.value === 'verified' ? 'verified' : 'everyone',
              })
            }
          />
          <NumberInput
            label={words.timeout}
            w={140}
            min={1}
            max={20}
            value={fields.timeout_seconds}
            onChange={(next) => setFields({ ...fields, timeout_seconds: Number(next) })}
          />
        </Group>
        <Switch
          label={words.enabled}
          color="petrol"
          checked={fields.enabled}
          onChange={(event) => setFields({ ...fields, enabled: event.currentTarget.checked })}
        />
        {problem !== null && !isPlaced && problem.code !== 'skill_name_taken' && (
          <FaultLine>{problem.message}</FaultLine>
        )}
        <Group gap="md">
          <Button type="submit" loading={isBusy}>
            {submitLabel}
          </Button>
          {toChange !== undefined && <StageButton workspace={id} change={staged} name={fields.name} />}
          <div role="status">{isSaved && <Text c="var(--p-green)">{texts.settings.saved}</Text>}</div>
        </Group>
      </Stack>
    </form>
  );
}
