import { Button, Checkbox, Popover, Stack, TextInput, UnstyledButton } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { toProblem } from '../../../api/problem.ts';
import { changeView, createView, viewsQuery } from '../../../api/queries/inbox.ts';
import { useMay, useWorkspaceId } from '../../../api/queries/workspace.ts';
import { BookmarkPlus, RefreshCw } from '../../../icons.ts';
import { Icon } from '../../../parts/icon.tsx';
import { FaultLine } from '../../../parts/states/fault-line.tsx';
import { useTexts } from '../../../texts/texts.tsx';
import { type Place, sameFilters, sortOf } from './address.ts';

interface SaveViewProps {
  readonly place: Place;
  readonly onPlace: (place: Place) => void;
}

/** Saves the filters and the order of the list under a name, or in the view that they came from. */
export function SaveView({ place, onPlace }: SaveViewProps) {
  const { texts } = useTexts();
  const words = texts.inbox;
  const workspace = useWorkspaceId();
  const client = useQueryClient();
  const mayWrite = useMay('inbox:reply');
  const { data: views = [] } = useQuery(viewsQuery(workspace));
  const saved = views.find(({ id }) => id === place.saved);
  const [isOpen, setOpen] = useState(false);
  const sort = sortOf(place);
  const update = useMutation({
    mutationFn: (id: string) => changeView(workspace, id, { filters: place.filters, sort }),
    onSuccess: () => client.invalidateQueries({ queryKey: viewsQuery(workspace).queryKey }),
  });
  if (!mayWrite) return null;
  if (saved !== undefined && sameFilters(saved.filters, place.filters) && saved.sort === sort) return null;
  return (
    <>
      {saved !== undefined && (
        <UnstyledButton className="p-filter-chip" data-offered onClick={() => update.mutate(saved.id)}>
          <Icon of={RefreshCw} size={12} />
          <span>{words.updateView(saved.name)}</span>
        </UnstyledButton>
      )}
      <Popover opened={isOpen} onChange={setOpen} position="bottom-start" width={264} shadow="lg" trapFocus>
        <Popover.Target>
          <UnstyledButton className="p-filter-chip" data-offered onClick={() => setOpen(!isOpen)}>
            <Icon of={BookmarkPlus} size={12} />
            <span>{words.saveView}</span>
          </UnstyledButton>
        </Popover.Target>
        <Popover.Dropdown aria-label={words.saveTitle}>
          <SaveForm
            place={{ ...place, sort }}
            lastPlace={views.at(-1)?.place ?? 0}
            onSaved={(id) => {
              setOpen(false);
              onPlace({ ...place, saved: id });
            }}
          />
        </Popover.Dropdown>
      </Popover>
    </>
  );
}

interface SaveFormProps {
  readonly place: Place;
  readonly lastPlace: number;
  readonly onSaved: (id: string) => void;
}

function SaveForm({ place, lastPlace, onSaved }: SaveFormProps) {
  const { texts } = useTexts();
  const words = texts.inbox;
  const workspace = useWorkspaceId();
  const client = useQueryClient();
  const [name, setName] = useState('');
  const [shared, setShared] = useState(false);
  const create = useMutation({
    mutationFn: () =>
      createView(workspace, {
        name: name.trim(),
        shared,
        filters: place.filters,
        sort: sortOf(place),
        place: Math.min(lastPlace + 1, 10_000),
      }),
    onSuccess: async ({ id }) => {
      await client.invalidateQueries({ queryKey: viewsQuery(workspace).queryKey });
      void client.invalidateQueries({ queryKey: ['conversation-counts', workspace] });
      onSaved(id);
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    create.mutate();
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <TextInput
          size="xs"
          data-autofocus
          label={words.viewName}
          placeholder={words.viewNameHint}
          required
          withAsterisk={false}
          maxLength={64}
          value={name}
          onChange={({ currentTarget: { value } }) => setName(value)}
        />
        <Checkbox
          size="xs"
          label={words.shared}
          checked={shared}
          onChange={({ currentTarget: { checked } }) => setShared(checked)}
        />
        {create.error !== null && <FaultLine>{toProblem(create.error).message}</FaultLine>}
        <div>
          <Button size="xs" type="submit" loading={create.isPending} disabled={name.trim() === ''}>
            {words.save}
          </Button>
        </div>
      </Stack>
    </form>
  );
}
