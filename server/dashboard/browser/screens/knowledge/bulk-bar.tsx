import { Button, Checkbox, Group, Menu, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useRef } from 'react';
import { toProblem } from '../../api/problem.ts';
import { audiencesQuery, type Document, useChangeDocuments } from '../../api/queries/documents.ts';
import { ChevronDown, RefreshCw, Trash2, Users, X } from '../../icons.ts';
import { type KeyAction, useKeyActions } from '../../keys/registry.ts';
import { Icon } from '../../parts/icon.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { useDeleteDocuments } from './use-delete-documents.ts';

interface BulkBarProps {
  readonly workspace: string;
  readonly documents: readonly Document[];
  readonly onDone: () => void;
}

/** The actions on the selected documents. */
export function BulkBar({ workspace, documents, onDone }: BulkBarProps) {
  const { texts } = useTexts();
  const words = texts.knowledge.bulk;
  const ids = documents.map(({ id }) => id);
  const change = useChangeDocuments(workspace);
  const remove = useDeleteDocuments(workspace);
  const deleteAll = async () => {
    if (await remove(documents)) onDone();
  };
  const latest = useRef(deleteAll);
  useEffect(() => {
    latest.current = deleteAll;
  });
  const actions = useMemo<readonly KeyAction[]>(
    () => [
      {
        id: 'documents-delete',
        name: texts.knowledge.keys.delete,
        keys: 'Delete',
        scope: 'here',
        run: () => void latest.current(),
      },
      { id: 'documents-clear', name: words.clear, keys: 'Escape', scope: 'here', run: onDone },
    ],
    [texts, words, onDone],
  );
  useKeyActions(actions);
  const failures = change.data ?? [];
  const fault =
    failures[0] === undefined
      ? change.isError && toProblem(change.error).message
      : words.notDone(failures.length, failures[0].detail);
  return (
    <section className="p-bulk" aria-label={words.label}>
      <Text fw={500} role="status" className="p-numbers p-nowrap">
        {words.selected(documents.length)}
      </Text>
      <Group gap="sm" wrap="nowrap">
        <AudienceMenu
          workspace={workspace}
          documents={documents}
          onChoose={(audience) => change.mutate({ ids, action: 'set_audience', audience })}
        />
        <Button
          size="xs"
          variant="default"
          leftSection={<Icon of={RefreshCw} size={14} />}
          loading={change.isPending && change.variables.action === 'reindex'}
          onClick={() => change.mutate({ ids, action: 'reindex' })}
        >
          <span className="p-wide">{words.reindex}</span>
        </Button>
        <Button
          size="xs"
          variant="default"
          c="var(--p-red)"
          leftSection={<Icon of={Trash2} size={14} />}
          onClick={() => void deleteAll()}
        >
          <span className="p-wide">{words.delete}</span>
        </Button>
        <Button size="xs" variant="subtle" leftSection={<Icon of={X} size={14} />} onClick={onDone}>
          <span className="p-wide">{words.clear}</span>
        </Button>
      </Group>
      {fault !== false && (
        <Text size="xs" c="var(--p-red)" role="alert" w="100%">
          {fault}
        </Text>
      )}
    </section>
  );
}

interface AudienceMenuProps {
  readonly workspace: string;
  readonly documents: readonly Document[];
  readonly onChoose: (audience: readonly string[]) => void;
}

/** Everybody, or a tag that is set for all of them or taken from all of them. */
function AudienceMenu({ workspace, documents, onChoose }: AudienceMenuProps) {
  const { texts } = useTexts();
  const { data: audiences = [] } = useQuery(audiencesQuery(workspace));
  const [first] = documents;
  const common = audiences.filter((tag) => documents.every(({ audience }) => audience.includes(tag)));
  const isOpen = first !== undefined && documents.every(({ audience }) => audience.length === 0);
  return (
    <Menu position="top-start" closeOnItemClick={false}>
      <Menu.Target>
        <Button
          size="xs"
          variant="default"
          leftSection={<Icon of={Users} size={14} />}
          rightSection={<Icon of={ChevronDown} size={14} />}
        >
          {texts.knowledge.bulk.audience}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<Box on={isOpen} />} onClick={() => onChoose([])}>
          {texts.knowledge.everybody}
        </Menu.Item>
        {audiences.map((tag) => (
          <Menu.Item
            key={tag}
            leftSection={<Box on={common.includes(tag)} />}
            onClick={() =>
              onChoose(common.includes(tag) ? common.filter((each) => each !== tag) : [...common, tag])
            }
          >
            {tag}
          </Menu.Item>
        ))}
        {audiences.length === 0 && (
          <Text size="xs" c="dimmed" p="sm" maw={220}>
            {texts.knowledge.bulk.noAudiences}
          </Text>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}

function Box({ on }: { readonly on: boolean }) {
  return <Checkbox.Indicator size="xs" checked={on} aria-hidden />;
}
