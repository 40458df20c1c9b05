import { ActionIcon, Menu, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { type KeyboardEvent, useRef, useState } from 'react';
import {
  changeView,
  countEnd,
  countsQuery,
  createView,
  deleteView,
  type SavedView,
  viewsQuery,
} from '../../../api/queries/inbox.ts';
import { useMay, useWorkspaceId } from '../../../api/queries/workspace.ts';
import { ChevronDown, ChevronUp, Ellipsis, Lock, Pencil, Trash2, Users } from '../../../icons.ts';
import { Icon } from '../../../parts/icon.tsx';
import { useTexts } from '../../../texts/texts.tsx';
import { useUndoable } from '../../../undo/use-undoable.ts';
import { useSearchValues } from '../../use-search-values.ts';
import { builtInViews, readPlace, writePlace } from './address.ts';

/** The views below the inbox in the rail, each with its number; saved ones can be moved. */
export function Views() {
  const { texts } = useTexts();
  const words = texts.inbox;
  const workspace = useWorkspaceId();
  const { values } = useSearchValues();
  const place = readPlace(values);
  const { data: counts } = useQuery(countsQuery(workspace));
  const { data: saved = [] } = useQuery(viewsQuery(workspace));
  const to = `/w/${workspace}/inbox`;
  const onKeyDown = ({ key, currentTarget }: KeyboardEvent<HTMLElement>) => {
    const links = [...currentTarget.querySelectorAll<HTMLElement>('a')];
    const at = links.findIndex((link) => link.matches(':focus'));
    if (key === 'ArrowDown') links[at + 1]?.focus();
    else if (key === 'ArrowUp') links[at - 1]?.focus();
  };
  return (
    <nav className="p-views" aria-label={words.viewsLabel} data-views onKeyDown={onKeyDown}>
      {builtInViews.map((view) => {
        const isOn = place.saved === undefined && place.filters.view === view;
        const count = counts?.views[view] ?? 0;
        return (
          <Link
            key={view}
            to={to}
            search={{ view }}
            className="p-view"
            {...(isOn && { 'aria-current': 'page' })}
          >
            <span className="p-view-name">{words.views[view]}</span>
            {view !== 'resolved' && (count > 0 || isOn) && (
              <span
                className="p-numbers p-view-count"
                data-tone={view === 'sla_at_risk' && count > 0 ? 'amber' : undefined}
              >
                {words.count(count, countEnd(view))}
              </span>
            )}
          </Link>
        );
      })}
      {saved.length > 0 && <span className="p-views-title">{words.savedViews}</span>}
      <SavedViews views={saved} current={place.saved} />
    </nav>
  );
}

interface SavedViewsProps {
  readonly views: readonly SavedView[];
  readonly current: string | undefined;
}

function SavedViews({ views, current }: SavedViewsProps) {
  const { texts } = useTexts();
  const words = texts.inbox;
  const workspace = useWorkspaceId();
  const client = useQueryClient();
  const { data: counts } = useQuery(countsQuery(workspace));
  const mayWrite = useMay('inbox:reply');
  const { queryKey } = viewsQuery(workspace);
  const dragged = useRef<string | null>(null);
  const [over, setOver] = useState<string | null>(null);
  const [said, setSaid] = useState('');
  const order = useMutation({
    mutationFn: async (next: readonly SavedView[]) => {
      client.setQueryData(queryKey, [...next]);
      const moved = next.flatMap((view, at) =>
        view.place === at ? [] : [changeView(workspace, view.id, { place: at })],
      );
      await Promise.all(moved);
    },
    onSettled: () => client.invalidateQueries({ queryKey }),
  });
  const moveTo = (id: string, place: number) => {
    const view = views.find((each) => each.id === id);
    if (view === undefined || place < 0 || place >= views.length) return;
    order.mutate(views.filter((each) => each.id !== id).toSpliced(place, 0, view));
    setSaid(words.moved(view.name, place + 1, views.length));
  };
  return (
    <>
      {views.map((view, place) => (
        // biome-ignore lint/a11y/noStaticElementInteractions: dragging has keys and a menu beside it
        <div
          key={view.id}
          className="p-view-line"
          data-over={over === view.id || undefined}
          draggable={mayWrite}
          onDragStart={() => {
            dragged.current = view.id;
          }}
          onDragOver={(event) => {
            if (dragged.current === null) return;
            event.preventDefault();
            setOver(view.id);
          }}
          onDragLeave={() => setOver(null)}
          onDragEnd={() => {
            dragged.current = null;
            setOver(null);
          }}
          onDrop={(event) => {
            event.preventDefault();
            if (dragged.current !== null) moveTo(dragged.current, place);
            setOver(null);
          }}
        >
          <SavedViewLine
            view={view}
            isOn={view.id === current}
            count={counts?.saved[view.id] ?? 0}
            mayWrite={mayWrite}
            isFirst={place === 0}
            isLast={place === views.length - 1}
            onMove={(step) => moveTo(view.id, place + step)}
          />
        </div>
      ))}
      <span role="status" className="p-visually-hidden">
        {said}
      </span>
    </>
  );
}

interface SavedViewLineProps {
  readonly view: SavedView;
  readonly isOn: boolean;
  readonly count: number;
  readonly mayWrite: boolean;
  readonly isFirst: boolean;
  readonly isLast: boolean;
  readonly onMove: (step: 1 | -1) => void;
}

function SavedViewLine({ view, isOn, count, mayWrite, isFirst, isLast, onMove }: SavedViewLineProps) {
  const { texts } = useTexts();
  const words = texts.inbox;
  const workspace = useWorkspaceId();
  const client = useQueryClient();
  const navigate = useNavigate();
  const [isNaming, setNaming] = useState(false);
  const { id, name, shared, filters, sort, place } = view;
  const to = `/w/${workspace}/inbox`;
  const refresh = () => client.invalidateQueries({ queryKey: viewsQuery(workspace).queryKey });
  const change = useMutation({
    mutationFn: (next: { readonly name?: string; readonly shared?: boolean }) =>
      changeView(workspace, id, next),
    onSettled: refresh,
  });
  const remove = useUndoable({
    act: async () => {
      await deleteView(workspace, id);
      if (isOn) await navigate({ to, search: {} });
    },
    undo: () => createView(workspace, { name, shared, filters, sort, place }),
    done: () => words.viewDeleted(name),
    refresh,
  });
  if (isNaming) {
    return (
      <TextInput
        size="xs"
        autoFocus
        aria-label={words.viewName}
        defaultValue={name}
        maxLength={64}
        onBlur={() => setNaming(false)}
        onKeyDown={({ key, currentTarget: { value } }) => {
          if (key === 'Enter' && value.trim() !== '') change.mutate({ name: value.trim() });
          if (key === 'Enter' || key === 'Escape') setNaming(false);
        }}
      />
    );
  }
  return (
    <>
      <Link
        to={to}
        search={writePlace({ filters, sort, saved: id })}
        className="p-view"
        title={shared ? words.shared : words.personal}
        {...(isOn && { 'aria-current': 'page' })}
        onKeyDown={({ key, altKey }) => {
          if (mayWrite && altKey && key === 'ArrowUp') onMove(-1);
          if (mayWrite && altKey && key === 'ArrowDown') onMove(1);
        }}
      >
        <span className="p-view-name">{name}</span>
        {!shared && <Icon of={Lock} size={12} label={words.personal} />}
        {(count > 0 || isOn) && (
          <span className="p-numbers p-view-count">{words.count(count, countEnd(id))}</span>
        )}
      </Link>
      {mayWrite && (
        <Menu position="bottom-start" width={220}>
          <Menu.Target>
            <ActionIcon size={20} className="p-view-menu" aria-label={words.viewMenu(name)}>
              <Icon of={Ellipsis} size={14} />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item leftSection={<Icon of={Pencil} />} onClick={() => setNaming(true)}>
              {words.rename}
            </Menu.Item>
            <Menu.Item
              leftSection={<Icon of={shared ? Lock : Users} />}
              onClick={() => change.mutate({ shared: !shared })}
            >
              {shared ? words.keepPrivate : words.share}
            </Menu.Item>
            <Menu.Item leftSection={<Icon of={ChevronUp} />} disabled={isFirst} onClick={() => onMove(-1)}>
              {words.moveUp}
            </Menu.Item>
            <Menu.Item leftSection={<Icon of={ChevronDown} />} disabled={isLast} onClick={() => onMove(1)}>
              {words.moveDown}
            </Menu.Item>
            <Menu.Item leftSection={<Icon of={Trash2} />} c="var(--p-red)" onClick={() => remove.mutate()}>
              {words.deleteView}
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
      )}
    </>
  );
}
