import { Button, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { TimeAgo } from '../../parts/time-ago.tsx';
import type { InstallationPart } from './operations-queries.ts';
import { useOperationsWords, wordFor } from './operations-words.ts';

const FEW = 3;

/** Every part with its promise and what was seen. The well ones are folded when there are many. */
export function Parts({ parts }: { readonly parts: readonly InstallationPart[] }) {
  const all = useOperationsWords();
  const words = all.parts;
  const [showsAll, setShowsAll] = useState(false);
  const notable = parts.filter(({ state }) => state !== 'ok');
  const well = parts.length - notable.length;
  const isFolded = !showsAll && notable.length > 0 && well > FEW;
  const columns: readonly Column<InstallationPart>[] = [
    {
      key: 'part',
      title: words.part,
      width: 170,
      cell: ({ part, state }) => (
        <span className="p-state-name" data-state={state} title={words.states[state]}>
          <span className="p-state-dot" aria-hidden="true" />
          {wordFor(words.names, part)}
          {state !== 'ok' && <span className="p-state-word">{words.states[state]}</span>}
        </span>
      ),
    },
    {
      key: 'promise',
      title: words.promise,
      cell: ({ part, promise }) => (
        <Text span inherit c="var(--p-text-2)">
          {wordFor(words.promises, part) === part ? promise : wordFor(words.promises, part)}
        </Text>
      ),
    },
    { key: 'seen', title: words.seen, cell: ({ seen }) => seen },
    {
      key: 'since',
      title: words.since,
      align: 'end',
      width: 110,
      cell: ({ since }) => <TimeAgo at={since} />,
    },
  ];
  return (
    <section aria-label={words.title}>
      <div className="p-operations-head">
        <Title order={2}>{words.title}</Title>
        <Text size="sm" c="dimmed">
          {words.about}
        </Text>
      </div>
      <div>
        <DataTable
          label={words.title}
          columns={columns}
          rows={isFolded ? notable : parts}
          rowKey={({ part }) => part}
          rowHeight={36}
          minWidth={0}
        />
      </div>
      {notable.length > 0 && well > FEW && (
        <Button variant="subtle" size="xs" mt="xs" onClick={() => setShowsAll(!showsAll)}>
          {showsAll ? words.hideWell : words.showWell(well)}
        </Button>
      )}
    </section>
  );
}
