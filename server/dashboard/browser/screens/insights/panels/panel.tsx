import { ActionIcon, Group, Text, Title, Tooltip } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Download, Info } from '../../../icons.ts';
import { Icon } from '../../../parts/icon.tsx';
import { ErrorState } from '../../../parts/states/error-state.tsx';
import { Skeletons } from '../../../parts/states/skeletons.tsx';
import { csvAddress, type Panel as PanelName } from '../insight-queries.ts';
import { useInsightWords } from '../insight-words.ts';
import { useScope } from '../use-scope.ts';

interface PanelProps<Data> {
  readonly name: PanelName;
  readonly title: string;
  /** How its numbers are counted, shown on hover and focus. */
  readonly about: string;
  readonly note?: ReactNode;
  /** The title with its numbers, once they are there. */
  readonly titleWith?: (data: Data) => string;
  readonly query: UseQueryResult<Data>;
  readonly isEmpty: (data: Data) => boolean;
  readonly children: (data: Data) => ReactNode;
}

/** A part of the page that loads alone. */
export function Panel<Data>({
  name,
  title,
  about,
  note,
  titleWith,
  query,
  isEmpty,
  children,
}: PanelProps<Data>) {
  const words = useInsightWords();
  const { workspace, scope } = useScope();
  const { data } = query;
  return (
    <section className="p-card p-insight" data-panel={name} aria-label={title} aria-busy={query.isFetching}>
      <Group gap={4} wrap="nowrap" className="p-insight-head">
        <Title order={2}>{data === undefined ? title : (titleWith?.(data) ?? title)}</Title>
        <Tooltip
          label={about}
          multiline
          w={300}
          events={{ hover: true, focus: true, touch: true }}
          withinPortal
        >
          <ActionIcon variant="subtle" size="xs" aria-label={`${words.definition(title)}: ${about}`}>
            <Icon of={Info} size={14} />
          </ActionIcon>
        </Tooltip>
        {note !== undefined && (
          <Text size="xs" c="var(--p-text-2)" className="p-insight-note">
            {note}
          </Text>
        )}
        <ActionIcon
          component="a"
          href={csvAddress(workspace, scope, name)}
          download
          variant="subtle"
          size="xs"
          className="p-insight-csv"
          aria-label={words.csv(title)}
          title={words.csv(title)}
        >
          <Icon of={Download} size={14} />
        </ActionIcon>
      </Group>
      {query.isPending && <Skeletons rows={3} height={32} />}
      {query.isError && data === undefined && (
        <ErrorState error={query.error} title={words.notLoaded} onRetry={() => void query.refetch()} />
      )}
      {data !== undefined &&
        (isEmpty(data) ? (
          <Text size="sm" c="var(--p-text-2)">
            {words.none}
          </Text>
        ) : (
          children(data)
        ))}
    </section>
  );
}
