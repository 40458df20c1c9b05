import { Group, Text, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { type Ref, useEffect, useState } from 'react';
import { audiencesQuery } from '../../api/queries/documents.ts';
import { CircleDot, Search, Users } from '../../icons.ts';
import { Chip } from '../../parts/filter-chip.tsx';
import { Icon } from '../../parts/icon.tsx';
import { useTexts } from '../../texts/texts.tsx';

/** The search values of the address of the documents. */
export interface Found {
  readonly q?: string;
  readonly status?: string;
  readonly audience?: string;
  readonly sort?: string;
  /** The open drawer. */
  readonly add?: string;
}

interface Counts {
  readonly statuses: Readonly<Record<'queued' | 'indexing' | 'indexed' | 'failed', number>>;
  readonly chunks: number;
  readonly bytes: number;
}

interface FiltersProps {
  readonly workspace: string;
  readonly found: Found;
  readonly counts: Counts | undefined;
  readonly onChange: (change: Found) => void;
  readonly fieldRef: Ref<HTMLInputElement>;
}

const statuses = ['indexed', 'indexing', 'queued', 'failed'] as const;

/** The search and the filters as chips. The choice stands in the address. */
export function Filters({ workspace, found, counts, onChange, fieldRef }: FiltersProps) {
  const { texts } = useTexts();
  const words = texts.knowledge;
  const { data: audiences = [] } = useQuery(audiencesQuery(workspace));
  const [typed, setTyped] = useState(found.q ?? '');
  useEffect(() => setTyped(found.q ?? ''), [found.q]);
  const search = useDebouncedCallback((q: string) => onChange({ q }), 200);
  return (
    <Group className="p-filters" gap="sm">
      <TextInput
        ref={fieldRef}
        className="p-filter-search"
        size="xs"
        type="search"
        leftSection={<Icon of={Search} size={14} />}
        placeholder={words.searchHint}
        aria-label={words.search}
        value={typed}
        onChange={({ currentTarget: { value } }) => {
          setTyped(value);
          search(value);
        }}
        onKeyDown={({ key, currentTarget }) => {
          if (key === 'Enter') window.document.querySelector<HTMLElement>('a.p-row-link')?.focus();
          if (key === 'Escape') currentTarget.blur();
        }}
      />
      <Chip
        icon={CircleDot}
        name={words.status}
        value={found.status}
        options={statuses.map((value) => ({
          value,
          label: words.statuses[value],
          count: counts?.statuses[value] ?? 0,
        }))}
        onChoose={(status) => onChange({ status })}
      />
      <Chip
        icon={Users}
        name={words.audience}
        value={found.audience}
        options={[
          { value: '*', label: words.everybody },
          ...audiences.map((value) => ({ value, label: value })),
        ]}
        onChoose={(audience) => onChange({ audience })}
      />
      {counts !== undefined && (
        <Text size="xs" c="var(--p-text-2)" ms="auto" className="p-numbers p-filter-summary">
          {words.summary(counts.statuses.indexed, counts.chunks, words.bytes(counts.bytes))}
        </Text>
      )}
    </Group>
  );
}
