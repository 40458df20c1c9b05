import {
  ActionIcon,
  Button,
  Checkbox,
  Group,
  MultiSelect,
  Popover,
  Select,
  Stack,
  TextInput,
  Tooltip,
} from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { kindsQuery } from '../../../api/kinds.ts';
import { agentsQuery, type InboxFilters } from '../../../api/queries/inbox.ts';
import { tagsQuery } from '../../../api/queries/snippets.ts';
import { useWorkspaceId } from '../../../api/queries/workspace.ts';
import { ListFilter } from '../../../icons.ts';
import { Icon } from '../../../parts/icon.tsx';
import { kindName, useTexts } from '../../../texts/texts.tsx';
import { isNarrowed, type Place, priorities, statuses } from '../views/address.ts';

interface FilterMenuProps {
  readonly place: Place;
  readonly onPlace: (place: Place) => void;
}

/** All filters in one place. Active filters stand as chips below the title. */
export function FilterMenu(props: FilterMenuProps) {
  const { texts } = useTexts();
  const words = texts.inbox;
  const [isOpen, setOpen] = useState(false);
  const isOn = isNarrowed(props.place.filters);
  return (
    <Popover opened={isOpen} onChange={setOpen} position="bottom-end" width={296} shadow="lg" trapFocus>
      <Popover.Target>
        <Tooltip label={words.filter} disabled={isOpen}>
          <ActionIcon
            size="xs"
            aria-label={words.filter}
            data-on={isOn || undefined}
            className="p-list-filter"
            onClick={() => setOpen(!isOpen)}
          >
            <Icon of={ListFilter} />
          </ActionIcon>
        </Tooltip>
      </Popover.Target>
      <Popover.Dropdown aria-label={words.filter}>
        <FilterForm {...props} />
      </Popover.Dropdown>
    </Popover>
  );
}

const dayEnd = 'T23:59:59.999';

function FilterForm({ place, onPlace }: FilterMenuProps) {
  const { texts } = useTexts();
  const words = texts.inbox;
  const workspace = useWorkspaceId();
  const { data: agents = [] } = useQuery(agentsQuery(workspace));
  const { data: tags } = useQuery(tagsQuery(workspace));
  const { data: known } = useQuery(kindsQuery());
  const kinds = known?.kinds.map(({ kind }) => kind) ?? [];
  const { filters } = place;
  const set = (change: Partial<Record<keyof InboxFilters, undefined>> | InboxFilters) => {
    const kept = Object.entries({ ...filters, ...change }).filter(
      ([, value]) => value !== undefined && value !== '' && !(Array.isArray(value) && value.length === 0),
    );
    onPlace({ ...place, filters: Object.fromEntries(kept) });
  };
  const [customer, setCustomer] = useState(filters.customer ?? '');
  const searchCustomer = useDebouncedCallback((text: string) => set({ customer: text.trim() }), 300);
  const common = { size: 'xs', comboboxProps: { withinPortal: false }, clearable: true } as const;
  return (
    <Stack gap="sm">
      <MultiSelect
        {...common}
        label={words.filters.status}
        data={statuses.map((value) => ({ value, label: words.statuses[value] }))}
        value={[...(filters.status ?? [])]}
        onChange={(chosen) => set({ status: statuses.filter((each) => chosen.includes(each)) })}
      />
      <MultiSelect
        {...common}
        label={words.filters.channel}
        data={kinds.map((value) => ({ value, label: kindName(value, texts) }))}
        value={[...(filters.channel ?? [])]}
        onChange={(chosen) => set({ channel: chosen })}
      />
      <Select
        {...common}
        label={words.filters.assignee}
        searchable
        data={[
          { value: 'me', label: words.me },
          { value: 'none', label: words.nobody },
          ...agents.map(({ id, name }) => ({ value: id, label: name })),
        ]}
        value={filters.assignee ?? null}
        onChange={(assignee) => set({ assignee: assignee ?? '' })}
      />
      <MultiSelect
        {...common}
        label={words.filters.priority}
        data={priorities.map((value) => ({ value, label: words.priorities[value] }))}
        value={[...(filters.priority ?? [])]}
        onChange={(chosen) => set({ priority: priorities.filter((each) => chosen.includes(each)) })}
      />
      <MultiSelect
        {...common}
        label={words.filters.tag}
        searchable
        data={[...new Set([...(filters.tag ?? []), ...(tags?.tags ?? []).map(({ tag }) => tag)])]}
        value={[...(filters.tag ?? [])]}
        onChange={(tag) => set({ tag })}
      />
      <TextInput
        size="xs"
        label={words.filters.customer}
        placeholder={words.customerHint}
        value={customer}
        onChange={({ currentTarget: { value } }) => {
          setCustomer(value);
          searchCustomer(value);
        }}
      />
      <Group grow gap="sm">
        <TextInput
          size="xs"
          type="date"
          label={words.filters.since}
          value={toDay(filters.since)}
          onChange={({ currentTarget: { value } }) =>
            set({ since: value === '' ? '' : new Date(`${value}T00:00`).toISOString() })
          }
        />
        <TextInput
          size="xs"
          type="date"
          label={words.filters.until}
          value={toDay(filters.until)}
          onChange={({ currentTarget: { value } }) =>
            set({ until: value === '' ? '' : new Date(value + dayEnd).toISOString() })
          }
        />
      </Group>
      {(['unread', 'waiting', 'has_draft'] as const).map((name) => (
        <Checkbox
          key={name}
          size="xs"
          label={words.filters[name]}
          checked={filters[name] === true}
          onChange={({ currentTarget: { checked } }) => set({ [name]: checked ? true : undefined })}
        />
      ))}
      <Group>
        <Button
          size="xs"
          variant="default"
          disabled={!isNarrowed(filters)}
          onClick={() => {
            setCustomer('');
            onPlace({ ...place, filters: { view: filters.view ?? 'all' } });
          }}
        >
          {words.clearFilters}
        </Button>
      </Group>
    </Stack>
  );
}

/** The day of a time in the format of a date field. */
function toDay(at: string | undefined): string {
  if (at === undefined) return '';
  const date = new Date(at);
  const pad = (value: number) => String(value).padStart(2, '0');
  return `${date.getFullYear()}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}`;
}
