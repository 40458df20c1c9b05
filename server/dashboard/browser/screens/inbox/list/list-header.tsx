import { ActionIcon, Menu, TextInput, Title, Tooltip, UnstyledButton } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { type RefObject, useEffect, useId, useRef, useState } from 'react';
import { ArrowUp, Check, ChevronDown, Search, X } from '../../../icons.ts';
import { Icon } from '../../../parts/icon.tsx';
import { useTexts } from '../../../texts/texts.tsx';
import { type Place, sortOf, sorts } from '../views/address.ts';
import { FilterChips } from './filter-chips.tsx';
import { FilterMenu } from './filter-menu.tsx';

interface ListHeaderProps {
  readonly title: string;
  readonly count: string | null;
  readonly place: Place;
  readonly onPlace: (place: Place) => void;
  /** New conversations that are not shown yet. */
  readonly waiting: number;
  readonly onShowNew: () => void;
  readonly isSearching: boolean;
  readonly onSearch: (isSearching: boolean) => void;
  readonly searchRef: RefObject<HTMLInputElement | null>;
}

/** The name of the view with its number, the search, the filters and the order. */
export function ListHeader(props: ListHeaderProps) {
  const { title, count, place, onPlace, waiting, onShowNew, isSearching, onSearch } = props;
  const { texts } = useTexts();
  const words = texts.inbox;
  const open = isSearching || place.filters.q !== undefined;
  return (
    <header className="p-list-head">
      <div className="p-list-bar">
        <Title order={1} className="p-list-title">
          <span className="p-list-view">{title}</span>
          <span className="p-list-area">{texts.frame.areas.inbox}</span>
        </Title>
        {count !== null && <span className="p-list-count p-numbers">{count}</span>}
        <span className="p-list-tools">
          <Tooltip label={`${words.search}  /`}>
            <ActionIcon
              size="xs"
              aria-label={words.search}
              aria-pressed={open}
              onClick={() => onSearch(!open)}
            >
              <Icon of={Search} />
            </ActionIcon>
          </Tooltip>
          <FilterMenu place={place} onPlace={onPlace} />
        </span>
      </div>
      {open && <SearchField {...props} />}
      <div className="p-list-sub">
        <SortMenu place={place} onPlace={onPlace} />
        <span role="status">
          {waiting > 0 && (
            <Tooltip label={words.freshHint}>
              <UnstyledButton className="p-list-new p-numbers" onClick={onShowNew}>
                <Icon of={ArrowUp} size={14} />
                {words.fresh(waiting)}
              </UnstyledButton>
            </Tooltip>
          )}
        </span>
      </div>
      <FilterChips place={place} onPlace={onPlace} />
    </header>
  );
}

function SearchField({ place, onPlace, onSearch, searchRef }: ListHeaderProps) {
  const { texts } = useTexts();
  const words = texts.inbox;
  const { q = '' } = place.filters;
  const helpId = useId();
  const [typed, setTyped] = useState(q);
  useEffect(() => setTyped(q), [q]);
  const search = useDebouncedCallback((text: string) => {
    const { q: _, ...filters } = place.filters;
    onPlace({ ...place, filters: text === '' ? filters : { ...filters, view: 'all', q: text } });
  }, 250);
  // This is the list that the search began in; null if the page was opened with the search.
  const before = useRef<Place | null>(null);
  if (place.filters.q === undefined) before.current = place;
  const close = () => {
    const { q: _, ...filters } = place.filters;
    const back = before.current ?? { ...place, filters: { ...filters, view: 'waiting' as const } };
    if (place.filters.q !== undefined) onPlace(back);
    onSearch(false);
  };
  return (
    <div className="p-list-search">
      <TextInput
        ref={searchRef}
        size="xs"
        type="search"
        autoFocus
        aria-label={words.search}
        placeholder={words.searchHint}
        leftSection={<Icon of={Search} size={14} />}
        rightSection={
          <ActionIcon size="xs" aria-label={words.closeSearch} onClick={close}>
            <Icon of={X} size={14} />
          </ActionIcon>
        }
        value={typed}
        onChange={({ currentTarget: { value } }) => {
          setTyped(value);
          search(value.trim());
        }}
        onKeyDown={({ key, currentTarget }) => {
          if (key === 'Escape') close();
          if (key === 'Enter')
            currentTarget.closest('section')?.querySelector<HTMLElement>('.p-rows')?.focus();
        }}
        aria-describedby={typed === '' ? helpId : undefined}
      />
      {typed === '' && (
        <p id={helpId} className="p-search-help">
          {words.searchHelp.split(' ').map((part) => (
            <span key={part}>{part} </span>
          ))}
        </p>
      )}
    </div>
  );
}

function SortMenu({ place, onPlace }: Pick<ListHeaderProps, 'place' | 'onPlace'>) {
  const { texts } = useTexts();
  const words = texts.inbox;
  const current = sortOf(place);
  return (
    <Menu position="bottom-start">
      <Menu.Target>
        <UnstyledButton className="p-list-sort" aria-label={`${words.sort}: ${words.sorts[current]}`}>
          {words.sorts[current]}
          <Icon of={ChevronDown} size={14} />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        {sorts.map((sort) => (
          <Menu.Item
            key={sort}
            rightSection={sort === current ? <Icon of={Check} size={14} /> : undefined}
            onClick={() => {
              const isUsual = sortOf({ filters: place.filters, sort: undefined }) === sort;
              onPlace({ ...place, sort: isUsual ? undefined : sort });
            }}
          >
            {words.sorts[sort]}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
