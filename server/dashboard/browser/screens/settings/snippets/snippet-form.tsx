import { Button, Fieldset, Select, Stack, TagsInput, Textarea, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { toProblem } from '../../../api/problem.ts';
import { agentsQuery } from '../../../api/queries/inbox.ts';
import type { SnippetFields } from '../../../api/queries/snippets.ts';
import { useWorkspaceId } from '../../../api/queries/workspace.ts';
import { FaultLine } from '../../../parts/states/fault-line.tsx';
import { useTexts } from '../../../texts/texts.tsx';

interface SnippetFormProps {
  readonly value: SnippetFields;
  readonly onSubmit: (fields: SnippetFields) => void;
  readonly isBusy: boolean;
  readonly error: unknown;
}

/** Name, text and tags of a snippet, and what happens to the conversation with it. */
export function SnippetForm({ value, onSubmit, isBusy, error }: SnippetFormProps) {
  const { texts } = useTexts();
  const words = texts.settings.snippets;
  const [name, setName] = useState(value.name);
  const [text, setText] = useState(value.text);
  const [tags, setTags] = useState(value.tags);
  const [actions, setActions] = useState(value.actions);
  const problem = error === null ? null : toProblem(error);
  const isOfName = problem?.code === 'snippet_name_taken' || problem?.code === 'invalid_name';
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSubmit({ name, text, tags, actions });
  };
  const plain = { required: true, withAsterisk: false };
  return (
    <form onSubmit={submit}>
      <Stack gap="lg">
        <TextInput
          {...plain}
          label={words.name}
          description={words.nameHint}
          maxLength={64}
          data-autofocus
          error={isOfName ? problem?.message : undefined}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Textarea
          {...plain}
          label={words.text}
          description={words.textHint}
          autosize
          minRows={5}
          maxRows={16}
          maxLength={4_000}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <TagsInput label={words.tags} description={words.tagsHint} value={tags} onChange={setTags} />
        <SnippetActions value={actions} onChange={setActions} />
        {problem !== null && !isOfName && <FaultLine>{problem.message}</FaultLine>}
        <div>
          <Button type="submit" loading={isBusy}>
            {texts.parts.save}
          </Button>
        </div>
      </Stack>
    </form>
  );
}

const statuses = ['open', 'claimed', 'resolved', 'archived'] as const;
const priorities = ['urgent', 'high', 'normal', 'low'] as const;

interface SnippetActionsProps {
  readonly value: SnippetFields['actions'];
  readonly onChange: (actions: SnippetFields['actions']) => void;
}

function SnippetActions({ value, onChange }: SnippetActionsProps) {
  const { texts } = useTexts();
  const words = texts.inbox;
  const { data: agents = [] } = useQuery(agentsQuery(useWorkspaceId()));
  const unchanged = texts.settings.snippets.unchanged;
  const set = (field: keyof SnippetFields['actions'], chosen: SnippetFields['actions']) => {
    const { [field]: _, ...others } = value;
    onChange({ ...others, ...chosen });
  };
  return (
    <Fieldset variant="unstyled" legend={texts.settings.snippets.actions}>
      <Stack gap="md" mt="sm">
        <Select
          clearable
          label={words.filters.status}
          placeholder={unchanged}
          data={statuses.map((status) => ({ value: status, label: words.statuses[status] }))}
          value={value.status ?? null}
          onChange={(chosen) => {
            const status = statuses.find((each) => each === chosen);
            set('status', status === undefined ? {} : { status });
          }}
        />
        <Select
          clearable
          label={words.filters.priority}
          placeholder={unchanged}
          data={priorities.map((priority) => ({ value: priority, label: words.priorities[priority] }))}
          value={value.priority ?? null}
          onChange={(chosen) => {
            const priority = priorities.find((each) => each === chosen);
            set('priority', priority === undefined ? {} : { priority });
          }}
        />
        <Select
          clearable
          searchable
          label={words.filters.assignee}
          placeholder={unchanged}
          data={[
            { value: 'me', label: texts.settings.snippets.sender },
            { value: 'none', label: words.pick.queue },
            ...agents.map(({ id, name }) => ({ value: id, label: name })),
          ]}
          value={value.assign ?? null}
          onChange={(assign) => set('assign', assign === null ? {} : { assign })}
        />
      </Stack>
    </Fieldset>
  );
}
