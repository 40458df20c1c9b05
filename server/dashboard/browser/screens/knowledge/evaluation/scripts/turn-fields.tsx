import { ActionIcon, Checkbox, Group, Select, Textarea, TextInput } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { documentQuery, documentsQuery } from '../../../../api/queries/documents.ts';
import type { TestQuestion } from '../../../../ask/evaluation-queries.ts';
import { X } from '../../../../icons.ts';
import { Icon } from '../../../../parts/icon.tsx';
import { useScriptWords } from './script-words.ts';

type Turn = TestQuestion['turns'][number];

/** A turn in the editor; the key names it while others come and go. */
export type EditedTurn = Turn & { readonly key: number };

interface TurnFieldsProps {
  readonly workspace: string;
  readonly turn: EditedTurn;
  /** From 1. */
  readonly position: number;
  readonly onChange: (changed: Partial<Turn>) => void;
  /** Absent: it is the only one. */
  readonly onRemove?: () => void;
}

/** A message of the customer, and what must hold of the reply. */
export function TurnFields({ workspace, turn, position, onChange, onRemove }: TurnFieldsProps) {
  const words = useScriptWords().editor;
  return (
    <fieldset className="p-card p-turn">
      <legend>{words.turn(position)}</legend>
      {onRemove !== undefined && (
        <ActionIcon
          variant="subtle"
          className="p-turn-remove"
          aria-label={words.remove(position)}
          onClick={onRemove}
        >
          <Icon of={X} size={14} />
        </ActionIcon>
      )}
      <Textarea
        label={words.message}
        autosize
        minRows={1}
        maxRows={6}
        maxLength={4_000}
        value={turn.message}
        onChange={({ currentTarget }) => onChange({ message: currentTarget.value })}
      />
      <Group gap="sm" align="end" role="group" aria-label={words.mustHold}>
        <TextInput
          label={words.phrase}
          maxLength={2_000}
          value={turn.phrase ?? ''}
          onChange={({ currentTarget }) =>
            onChange({ phrase: currentTarget.value === '' ? null : currentTarget.value })
          }
        />
        <DocumentSelect
          workspace={workspace}
          value={turn.document_id}
          onChange={(document_id) => onChange({ document_id })}
        />
        <Select
          label={words.tier}
          data={words.tiers}
          value={turn.tier ?? 'any'}
          allowDeselect={false}
          onChange={(value) => onChange({ tier: value === 'answer' || value === 'maybe' ? value : null })}
        />
      </Group>
      <Group gap="lg">
        <Checkbox
          label={words.refuse}
          checked={turn.refuse}
          onChange={({ currentTarget }) => onChange({ refuse: currentTarget.checked })}
        />
        <Checkbox
          label={words.person}
          checked={turn.person}
          onChange={({ currentTarget }) => onChange({ person: currentTarget.checked })}
        />
      </Group>
    </fieldset>
  );
}

interface DocumentSelectProps {
  readonly workspace: string;
  readonly value: string | null;
  readonly onChange: (value: string | null) => void;
}

/** Finds a document by its title. */
function DocumentSelect({ workspace, value, onChange }: DocumentSelectProps) {
  const words = useScriptWords().editor;
  const [search, setSearch] = useState('');
  const [chosen, setChosen] = useState<string | null>(null);
  const q = search.trim() === chosen ? '' : search.trim();
  const { data } = useInfiniteQuery(documentsQuery(workspace, { status: 'indexed', ...(q !== '' && { q }) }));
  const found = (data?.pages[0]?.documents ?? []).map(({ id, title }) => ({ value: id, label: title }));
  const isListed = value === null || found.some((each) => each.value === value);
  const { data: known } = useQuery({ ...documentQuery(workspace, value ?? ''), enabled: !isListed });
  return (
    <Select
      label={words.document}
      placeholder={words.anyDocument}
      searchable
      clearable
      data={isListed ? found : [{ value, label: chosen ?? known?.title ?? value }, ...found]}
      value={value}
      searchValue={search}
      onSearchChange={setSearch}
      onChange={(next, option) => {
        setChosen(option?.label ?? null);
        onChange(next);
      }}
    />
  );
}
