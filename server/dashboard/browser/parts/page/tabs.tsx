import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { type ReactNode, useMemo } from 'react';
import { type KeyAction, useKeyActions } from '../../keys/registry.ts';
import { useTexts } from '../../texts/texts.tsx';

interface TabsOptions<Tab extends string> {
  /** The ids of the keys begin with it: `source-next`. */
  readonly thing: 'document' | 'source';
  /** The first one stands in no address. */
  readonly tabs: readonly [Tab, ...Tab[]];
  /** The address of the list that Escape leads back to. */
  readonly list: string;
  readonly backKey: string;
}

/** Reads the open tab from the address. `[` and `]` go through the tabs, Escape back to the list. */
export function useTabs<Tab extends string>({ thing, tabs, list, backKey }: TabsOptions<Tab>): Tab {
  const { texts } = useTexts();
  const words = texts.parts.tabs;
  const navigate = useNavigate();
  const search: { readonly tab?: string } = useSearch({ strict: false });
  const [first] = tabs;
  const tab = tabs.find((each) => each === search.tab) ?? first;
  const actions = useMemo<readonly KeyAction[]>(() => {
    const step = (by: number) => {
      const to = tabs[(tabs.indexOf(tab) + by + tabs.length) % tabs.length];
      void navigate({ to: '.', search: { tab: to === first ? '' : to } });
    };
    const here = { scope: 'here' } as const;
    return [
      { id: `${thing}-next`, name: words.next, keys: ']', ...here, run: () => step(1) },
      { id: `${thing}-previous`, name: words.previous, keys: '[', ...here, run: () => step(-1) },
      { id: `${thing}-back`, name: backKey, keys: 'Escape', ...here, run: () => void navigate({ to: list }) },
    ];
  }, [words, navigate, tabs, first, tab, thing, list, backKey]);
  useKeyActions(actions);
  return tab;
}

interface TabLinksProps<Tab extends string> {
  /** The label of the list of tabs. */
  readonly label: string;
  readonly tabs: readonly [Tab, ...Tab[]];
  readonly open: Tab;
  readonly name: (tab: Tab) => ReactNode;
}

/** The tabs of a page as links. */
export function TabLinks<Tab extends string>({ label, tabs, open, name }: TabLinksProps<Tab>) {
  return (
    <nav className="p-link-tabs" aria-label={label}>
      {tabs.map((each) => (
        <Link
          key={each}
          to="."
          search={{ tab: each === tabs[0] ? '' : each }}
          {...(each === open && { 'aria-current': 'page' as const })}
        >
          {name(each)}
        </Link>
      ))}
    </nav>
  );
}
