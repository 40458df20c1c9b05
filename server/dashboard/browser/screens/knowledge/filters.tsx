import { Button, Group, Menu, Text, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { type Ref, useEffect, useState } from 'react';
import { audiencesQuery } from '../../api/queries/documents.ts';
import { Check, ChevronDown, CircleDot, type IconType, Search, Users } from '../../icons.ts';
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

interface ChipProps {
  readonly icon: IconType;
  readonly name: string;
  readonly value: string | undefined;
  readonly options: readonly { readonly value: string; readonly label: string; readonly count?: number }[];
  /** Receives the chosen value; an empty one stands for all. */
  readonly onChoose: (value: string) => void;
}

function Chip({ icon, name, value, options, onChoose }: ChipProps) {
  const { texts } = useTexts();
  const chosen = options.find((option) => option.value === value);
  return (
    <Menu position="bottom-start">
      <Menu.Target>
        <Button
          variant="default"
          size="xs"
          className="p-chip"
          data-on={chosen !== undefined || undefined}
          leftSection={<Icon of={icon} size={14} />}
          rightSection={<Icon of={ChevronDown} size={14} />}
        >
          {chosen === undefined ? name : `${name}: ${chosen.label}`}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {[{ value: '', label: texts.knowledge.all }, ...options].map((option) => (
          <Menu.Item
            key={option.value}
            onClick={() => onChoose(option.value)}
            leftSection={<Tick on={option.value === (chosen?.value ?? '')} />}
            rightSection={
              'count' in option && option.count !== undefined && option.count > 0 ? (
                <Text size="xs" c="dimmed" className="p-numbers">
                  {option.count}
                </Text>
              ) : undefined
            }
          >
            {option.label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

function Tick({ on }: { readonly on: boolean }) {
  return <span className="p-tick">{on && <Icon of={Check} size={14} />}</span>;
}
