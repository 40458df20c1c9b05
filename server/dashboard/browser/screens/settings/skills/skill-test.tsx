import { Button, Stack, Text, Textarea } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { type Skill, type SkillTrial, testSkill } from '../../../api/queries/skills.ts';
import { useWorkspaceId } from '../../../api/queries/workspace.ts';
import { Check, CircleAlert, Play } from '../../../icons.ts';
import { Icon } from '../../../parts/icon.tsx';
import { StatusPill } from '../../../parts/pills.tsx';
import { isFields } from '../../../parts/schema-form/json-schema.ts';
import { ErrorState } from '../../../parts/states/error-state.tsx';
import { useTexts } from '../../../texts/texts.tsx';
import { readObject } from './read-object.ts';

/** Calls a skill once, with arguments that a person writes, and shows what came back. */
export function SkillTest({ skill }: { readonly skill: Skill }) {
  const { texts } = useTexts();
  const words = texts.settings.skills;
  const id = useWorkspaceId();
  const [json, setJson] = useState(() => JSON.stringify(sampleArguments(skill.parameters), null, 2));
  const [isWrong, setWrong] = useState(false);
  const test = useMutation({
    mutationFn: (given: Record<string, unknown>) => testSkill(id, skill.id, given),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const given = readObject(json);
    setWrong(given === null);
    if (given !== null) test.mutate(given);
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="lg">
        <Textarea
          label={words.given}
          classNames={{ input: 'p-mono' }}
          dir="ltr"
          spellCheck={false}
          autosize
          minRows={3}
          maxRows={12}
          error={isWrong ? words.invalidJson : undefined}
          value={json}
          onChange={(event) => setJson(event.currentTarget.value)}
        />
        <div>
          <Button
            type="submit"
            variant="default"
            leftSection={<Icon of={Play} size={14} />}
            loading={test.isPending}
          >
            {words.call}
          </Button>
        </div>
        {test.error !== null && <ErrorState error={test.error} />}
        <div role="status">{test.data !== undefined && <Outcome trial={test.data} />}</div>
      </Stack>
    </form>
  );
}

function Outcome({
  trial: { status, duration_ms: ms, says, finding, error },
}: {
  readonly trial: SkillTrial;
}) {
  const { texts } = useTexts();
  const words = texts.settings.skills;
  const rows = [
    [words.says, says],
    [words.finding, finding],
    [words.failed, error],
  ] as const;
  const given = rows.filter(([, text]) => text !== null);
  return (
    <div className="p-card" style={{ padding: 16 }}>
      <StatusPill tone={error === null ? 'green' : 'red'} icon={error === null ? Check : CircleAlert}>
        {words.status(status, ms)}
      </StatusPill>
      {given.map(([title, text]) => (
        <div key={title} style={{ marginBlockStart: 12 }}>
          <Text size="xs" c="dimmed">
            {title}
          </Text>
          <Text style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>{text}</Text>
        </div>
      ))}
      {given.length === 0 && <Text mt="md">{words.nothing}</Text>}
    </div>
  );
}

/** An argument of each kind that the skill takes, to begin with. */
function sampleArguments({ properties }: Record<string, unknown>): Record<string, unknown> {
  if (!isFields(properties)) return {};
  const samples: Readonly<Record<string, unknown>> = { number: 1, integer: 1, boolean: true, array: [] };
  return Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => {
      const type = isFields(schema) && typeof schema.type === 'string' ? schema.type : '';
      return [name, samples[type] ?? ''];
    }),
  );
}
