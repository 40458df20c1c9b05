import { Text, TextInput, Title } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { components } from '../../../api/api-types.ts';
import { toProblem } from '../../../api/problem.ts';
import { previewQuery } from '../../../api/queries/channels.ts';
import { useWorkspace } from '../../../api/queries/workspace.ts';
import type { Fields } from '../../../parts/schema-form/json-schema.ts';
import type { Catalogue } from '../../../texts/english.ts';
import { useTexts } from '../../../texts/texts.tsx';

type Embedding = NonNullable<components['schemas']['ChannelPreview']['embedding']>;

interface DomainTestProps {
  readonly channel: string;
  /** The settings that are not saved. */
  readonly changes: Fields;
}

/** Asks the server whether a page may show the widget, and why. */
export function DomainTest({ channel, changes }: DomainTestProps) {
  const { texts } = useTexts();
  const words = texts.channels.studio.domains;
  const workspace = useWorkspace()?.id ?? '';
  const [given, setGiven] = useState('');
  const [page] = useDebouncedValue(given.trim(), 250);
  const { data, error } = useQuery({
    ...previewQuery({ workspace, channel }, { settings: changes, page }),
    enabled: page !== '',
  });
  const embedding = page === '' || error !== null ? null : (data?.embedding ?? null);
  return (
    <section aria-labelledby="studio-domains">
      <Title order={2} id="studio-domains" mb="md">
        {words.title}
      </Title>
      <TextInput
        label={words.label}
        placeholder={words.placeholder}
        value={given}
        onChange={(event) => setGiven(event.currentTarget.value)}
      />
      <div role="status">
        {page !== '' && error !== null && (
          <Text mt="sm">{`${words.unclear} ${toProblem(error).message}`}</Text>
        )}
        {embedding !== null && (
          <>
            <Text mt="sm" fw={500} c={embedding.allowed ? 'var(--p-green)' : 'var(--p-red)'}>
              {(embedding.allowed ? words.yes : words.no)(hostOf(embedding.origin))}
            </Text>
            <Text size="sm">{reasonOf(embedding, words)}</Text>
            {'allowed_domains' in changes && (
              <Text size="sm" c="dimmed">
                {words.unsaved}
              </Text>
            )}
          </>
        )}
      </div>
    </section>
  );
}

function hostOf(origin: string): string {
  return URL.parse(origin)?.host ?? origin;
}

function reasonOf(
  { reason, entry, list }: Embedding,
  words: Catalogue['channels']['studio']['domains'],
): string {
  switch (reason) {
    case 'own':
      return words.own;
    case 'local':
      return words.local;
    case 'listed':
      return words.listed(entry ?? '');
    case 'not_listed':
      return words.notListed[list];
    case 'none_listed':
      return words.noneListed;
    case 'no_page':
      return words.noPage;
  }
}
