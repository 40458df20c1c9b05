import { UnstyledButton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { agentsQuery, type InboxFilters } from '../../../api/queries/inbox.ts';
import { useWorkspaceId } from '../../../api/queries/workspace.ts';
import { X } from '../../../icons.ts';
import { Icon } from '../../../parts/icon.tsx';
import type { Catalogue } from '../../../texts/english.ts';
import { kindName, useTexts } from '../../../texts/texts.tsx';
import { isNarrowed, type Place } from '../views/address.ts';
import { SaveView } from '../views/save-view.tsx';

interface FilterChipsProps {
  readonly place: Place;
  readonly onPlace: (place: Place) => void;
}

/** The active filters, each with a button to remove it. */
export function FilterChips({ place, onPlace }: FilterChipsProps) {
  const { texts, language } = useTexts();
  const words = texts.inbox;
  const { data: agents = [] } = useQuery({
    ...agentsQuery(useWorkspaceId()),
    enabled: place.filters.assignee?.startsWith('per_') === true,
  });
  const { view: _, q: __, ...filters } = place.filters;
  const nameOfPerson = (id: string) => agents.find((agent) => agent.id === id)?.name ?? id;
  const chips = Object.keys(words.filters).flatMap((name) => {
    const value = isFilter(name, filters)
      ? describeFilter(name, filters, { texts, language, nameOfPerson })
      : null;
    return value === null ? [] : [{ name, text: value }];
  });
  if (!isNarrowed(place.filters) && place.sort === undefined && place.saved === undefined) return null;
  return (
    <div className="p-list-chips">
      {chips.map(({ name, text }) => (
        <UnstyledButton
          key={name}
          className="p-filter-chip"
          aria-label={words.removeFilter(text)}
          onClick={() => {
            const kept = Object.entries(place.filters).filter(([each]) => each !== name);
            onPlace({ ...place, filters: Object.fromEntries(kept) });
          }}
        >
          <span>{text}</span>
          <Icon of={X} size={12} />
        </UnstyledButton>
      ))}
      <SaveView place={place} onPlace={onPlace} />
    </div>
  );
}

function isFilter(
  name: string,
  filters: InboxFilters,
): name is keyof InboxFilters & keyof Catalogue['inbox']['filters'] {
  return name in filters;
}

interface Describing {
  readonly texts: Catalogue;
  readonly language: string;
  readonly nameOfPerson: (id: string) => string;
}

function describeFilter(
  name: keyof InboxFilters & keyof Catalogue['inbox']['filters'],
  filters: InboxFilters,
  { texts, language, nameOfPerson }: Describing,
): string {
  const words = texts.inbox;
  const label = words.filters[name];
  const day = new Intl.DateTimeFormat(language, { dateStyle: 'medium' });
  const joined = (values: readonly string[] = []) => `${label}: ${values.join(', ')}`;
  switch (name) {
    case 'status':
      return joined(filters.status?.map((each) => words.statuses[each]));
    case 'channel':
      return joined(filters.channel?.map((each) => kindName(each, texts)));
    case 'priority':
      return joined(filters.priority?.map((each) => words.priorities[each]));
    case 'tag':
      return joined(filters.tag);
    case 'assignee': {
      const { assignee = '' } = filters;
      const known = { me: words.me, none: words.nobody };
      return joined([assignee === 'me' || assignee === 'none' ? known[assignee] : nameOfPerson(assignee)]);
    }
    case 'sla_state':
      return joined(filters.sla_state && [words.slaStates[filters.sla_state]]);
    case 'feedback':
      return joined(filters.feedback && [words.ratings[filters.feedback]]);
    case 'since':
    case 'until':
    case 'updated_since':
      return joined([day.format(new Date(filters[name] ?? 0))]);
    case 'unread':
    case 'waiting':
    case 'has_draft':
      return label;
    default:
      return joined([filters[name] ?? '']);
  }
}
