import { Button, Group, MultiSelect, Stack, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import { toProblem } from '../../../api/problem.ts';
import { audiencesQuery, type Document, useChangeDocument } from '../../../api/queries/documents.ts';
import { Check, Lock } from '../../../icons.ts';
import { CopyButton } from '../../../parts/copy-field.tsx';
import { Icon } from '../../../parts/icon.tsx';
import { FaultLine } from '../../../parts/states/fault-line.tsx';
import { TimeAgo } from '../../../parts/time-ago.tsx';
import { useTexts } from '../../../texts/texts.tsx';

interface DocumentSettingsProps {
  readonly workspace: string;
  readonly document: Document;
  readonly may: boolean;
}

/** Title, address and audience, and what is known of the source. */
export function DocumentSettings({ workspace, document, may }: DocumentSettingsProps) {
  const { texts } = useTexts();
  const words = texts.knowledge.page;
  const { data: audiences = [] } = useQuery(audiencesQuery(workspace));
  const [title, setTitle] = useState(document.title);
  const [url, setUrl] = useState(document.url ?? '');
  const [audience, setAudience] = useState(document.audience);
  const change = useChangeDocument(workspace, document.id);
  const isWrong = url.trim() !== '' && !isWebAddress(url.trim());
  const isSame =
    title.trim() === document.title &&
    url.trim() === (document.url ?? '') &&
    audience.toSorted().join('\0') === document.audience.toSorted().join('\0');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isSame || isWrong || title.trim() === '') return;
    change.mutate(
      { title: title.trim(), url: url.trim() === '' ? null : url.trim(), audience },
      { onSuccess: (changed) => setTitle(changed.title) },
    );
  };
  const order = ['label', 'input', 'description', 'error'] as const;
  return (
    <form className="p-document-form" onSubmit={submit} noValidate>
      <Stack gap="lg">
        {!may && (
          <Text className="p-read-only">
            <Icon of={Lock} size={14} /> {words.readOnly}
          </Text>
        )}
        <TextInput
          label={texts.knowledge.title}
          description={words.titleHint}
          inputWrapperOrder={[...order]}
          value={title}
          readOnly={!may}
          onChange={({ currentTarget }) => setTitle(currentTarget.value)}
          error={title.trim() === '' && texts.parts.form.required}
        />
        <TextInput
          label={words.url}
          description={words.urlHint}
          inputWrapperOrder={[...order]}
          type="url"
          dir="ltr"
          value={url}
          readOnly={!may}
          onChange={({ currentTarget }) => setUrl(currentTarget.value)}
          error={isWrong && words.urlInvalid}
        />
        <MultiSelect
          label={texts.knowledge.audience}
          description={audiences.length === 0 ? words.noAudiences : words.audienceHint}
          inputWrapperOrder={[...order]}
          data={[...new Set([...audiences, ...document.audience])]}
          value={audience}
          onChange={setAudience}
          readOnly={!may}
          placeholder={audience.length === 0 ? texts.knowledge.everybody : ''}
          clearButtonProps={{ 'aria-label': texts.knowledge.everybody }}
        />
        {change.isError && <FaultLine>{toProblem(change.error).message}</FaultLine>}
        {may && (
          <Group gap="md">
            <Button type="submit" loading={change.isPending} disabled={isSame}>
              {words.save}
            </Button>
            {change.isSuccess && isSame ? (
              <Text size="xs" c="var(--p-green)" role="status">
                <Icon of={Check} size={12} /> {words.saved}
              </Text>
            ) : (
              <Text size="xs" c="var(--p-text-2)" flex={1}>
                {words.reindexes}
              </Text>
            )}
          </Group>
        )}
      </Stack>
      <dl className="p-document-facts">
        <Fact name={texts.knowledge.origin}>
          {document.origin === null ? '–' : texts.knowledge.origins[document.origin]}
        </Fact>
        {document.file_name !== null && <Fact name={words.file}>{document.file_name}</Fact>}
        {document.content_type !== null && <Fact name={words.type}>{document.content_type}</Fact>}
        <Fact name={words.added}>
          <TimeAgo at={document.created_at} />
        </Fact>
        <Fact name={words.indexed}>
          <TimeAgo at={document.indexed_at} />
        </Fact>
        <Fact name={words.id}>
          <span className="p-mono">{document.id}</span> <CopyButton value={document.id} label={words.id} />
        </Fact>
      </dl>
    </form>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function isWebAddress(text: string): boolean {
  const protocol = URL.parse(text)?.protocol;
  return protocol === 'https:' || protocol === 'http:';
}
