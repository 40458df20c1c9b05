import { useDebouncedValue } from '@mantine/hooks';
import { useTexts } from '../../texts/texts.tsx';
import type { Command } from './command.ts';
import { useCommandWords } from './command-words.ts';
import { useListed } from './use-listed.tsx';
import { LEAST_LETTERS, useSearched } from './use-searched.tsx';

const PAUSE_MS = 150;

interface Found {
  readonly commands: readonly Command[];
  readonly isSearching: boolean;
  /** The names of the groups that could not be read. */
  readonly failed: readonly string[];
  readonly retry: () => void;
}

/**
 * Finds documents, conversations and visitors by the typed words, with one question for each pause in the typing. Settings,
 * people, channels, keys, webhooks and views are read once, because a workspace has few of them.
 */
export function useFound(typed: string): Found {
  const { texts } = useTexts();
  const words = useCommandWords();
  const [paused] = useDebouncedValue(typed.trim(), PAUSE_MS);
  const isTyped = typed.trim().length >= LEAST_LETTERS;
  const searched = useSearched(paused, isTyped);
  const listed = useListed(isTyped);
  const all = [...searched.queries, ...listed.queries];
  const failed = all.filter(({ query }) => query.isError);
  const names = { ...words.groups, settings: texts.frame.areas.settings };
  return {
    commands: [...listed.commands, ...(isTyped ? searched.commands : [])],
    isSearching: isTyped && (paused !== typed.trim() || all.some(({ query }) => query.isFetching)),
    failed: isTyped ? [...new Set(failed.map(({ name }) => names[name]))] : [],
    retry: () => {
      for (const { query } of failed) void query.refetch();
    },
  };
}
