import { Button, Stack, TagsInput, Textarea, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { toProblem } from '../../../api/problem.ts';
import type { SnippetFields } from '../../../api/queries/snippets.ts';
import { FaultLine } from '../../../parts/fault-line.tsx';
import { useTexts } from '../../../texts/texts.tsx';

interface SnippetFormProps {
  readonly value: SnippetFields;
  readonly onSubmit: (fields: SnippetFields) => void;
  readonly isBusy: boolean;
  readonly error: unknown;
}

/** Name, text and tags of a snippet. */
export function SnippetForm({ value, onSubmit, isBusy, error }: SnippetFormProps) {
  const { texts } = useTexts();
  const words = texts.settings.snippets;
  const [name, setName] = useState(value.name);
  const [text, setText] = useState(value.text);
  const [tags, setTags] = useState(value.tags);
  const problem = error === null ? null : toProblem(error);
  const isOfName = problem?.code === 'snippet_name_taken' || problem?.code === 'invalid_name';
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSubmit({ name, text, tags });
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
          autosize
          minRows={5}
          maxRows={16}
          maxLength={4_000}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <TagsInput label={words.tags} description={words.tagsHint} value={tags} onChange={setTags} />
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
