import { Group, Kbd, Loader, VisuallyHidden } from '@mantine/core';
import { Spotlight, useSpotlight } from '@mantine/spotlight';
import { useNavigate } from '@tanstack/react-router';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { useMe } from '../../api/queries/me.ts';
import { useNearestWorkspace } from '../../api/queries/workspace.ts';
import { CircleAlert, Search } from '../../icons.ts';
import { keySigns } from '../../keys/registry.ts';
import { Icon } from '../../parts/icon.tsx';
import { toLink } from '../../parts/to-link.ts';
import { useTexts } from '../../texts/texts.tsx';
import type { Command, GroupId } from './command.ts';
import { useCommandWords } from './command-words.ts';
import { groupCommands } from './group-commands.ts';
import { chosenInTab, readLatest, rememberLatest } from './latest.ts';
import { commandStore } from './open-menu.ts';
import { useCommands, useRights } from './use-commands.tsx';
import { useFound } from './use-found.ts';
import { useById } from './use-searched.tsx';

/** Everything by name: screens, things, settings and verbs that the person may see and do. */
export function Menu() {
  const { texts } = useTexts();
  const words = texts.frame.command;
  const [typed, setTyped] = useState('');
  const { opened } = useSpotlight(commandStore);
  const [isLeaving, setLeaving] = useState(false);
  const inNewTab = useRef(false);
  const onKeyDown = (event: KeyboardEvent) => {
    inNewTab.current = event.key === 'Enter' && (event.ctrlKey || event.metaKey);
  };
  return (
    <Spotlight.Root
      store={commandStore}
      query={typed}
      onQueryChange={setTyped}
      shortcut={null}
      scrollable
      maxHeight={440}
      size={640}
      yOffset={112}
      centered={false}
      overlayProps={{ blur: 0, backgroundOpacity: 0.35 }}
      attributes={{ content: { 'aria-label': words.title } }}
      className="p-command"
      // A new page takes the focus itself.
      returnFocus={!isLeaving}
      onSpotlightOpen={() => setLeaving(false)}
    >
      <Spotlight.Search
        leftSection={<Icon of={Search} />}
        placeholder={words.placeholder}
        aria-label={words.placeholder}
        maxLength={200}
        onKeyDown={onKeyDown}
      />
      {opened && <Entries typed={typed} inNewTab={inNewTab} onLeave={() => setLeaving(true)} />}
    </Spotlight.Root>
  );
}

interface EntriesProps {
  readonly typed: string;
  /** Whether the key that chooses an entry opens a new tab. */
  readonly inNewTab: { current: boolean };
  readonly onLeave: () => void;
}

function Entries({ typed, inNewTab, onLeave }: EntriesProps) {
  const { texts } = useTexts();
  const words = useCommandWords();
  const { person } = useMe();
  const navigate = useNavigate();
  const [latest] = useState(() => readLatest(person.id));
  const own = useCommands();
  const found = useFound(typed);
  const byId = useById(typed, useRights());
  const workspace = useNearestWorkspace()?.id ?? '';
  const isEmpty = typed.trim() === '';
  const chosen = isEmpty ? chosenInTab().filter(({ to }) => to?.startsWith(`/w/${workspace}/`)) : [];
  const groups = groupCommands([...byId, ...own, ...found.commands, ...chosen], { typed, latest });
  const total = groups.reduce((sum, group) => sum + group.total, 0);
  useSelection(groups.flatMap(({ commands }) => commands.map(({ id }) => id)).join(' '));
  const names: Readonly<Record<GroupId, string>> = {
    ...words.groups,
    goTo: texts.frame.command.goTo,
    here: texts.frame.command.here,
    doIt: texts.frame.command.doIt,
    settings: texts.frame.areas.settings,
    workspaces: texts.frame.command.workspaces,
  };
  const choose = (command: Command, isApart: boolean) => {
    rememberLatest(person.id, command);
    if (command.to === undefined) command.run?.();
    else if (isApart) window.open(`/dashboard${command.to}`, '_blank', 'noopener');
    else {
      onLeave();
      void navigate(toLink(command.to));
    }
  };
  const { failed } = found;
  return (
    <>
      {(groups.length > 0 || failed.length > 0) && (
        <Spotlight.ActionsList>
          {groups.map(({ id, commands, total: count }) => {
            const heading = isEmpty ? names[id] : words.heading(names[id], count);
            return (
              <Spotlight.ActionsGroup key={id} label={heading} role="group" aria-label={heading}>
                {commands.map((command) => (
                  <Entry
                    key={command.id}
                    command={command}
                    onChoose={({ ctrlKey, metaKey }) => {
                      choose(command, inNewTab.current || ctrlKey || metaKey);
                      inNewTab.current = false;
                    }}
                  />
                ))}
              </Spotlight.ActionsGroup>
            );
          })}
          {failed.length > 0 && (
            <Spotlight.Action
              label={words.failed(failed.join(', '))}
              dimmedSections={false}
              leftSection={<Icon of={CircleAlert} color="var(--p-red)" />}
              rightSection={<span className="p-command-count">{words.retry}</span>}
              closeSpotlightOnTrigger={false}
              onClick={found.retry}
            />
          )}
        </Spotlight.ActionsList>
      )}
      {groups.length === 0 && failed.length === 0 && (
        <Spotlight.Empty>
          {found.isSearching ? words.searching : words.nothing(typed.trim())}
          {!found.isSearching && <span className="p-command-hint">{words.nothingHint}</span>}
        </Spotlight.Empty>
      )}
      <VisuallyHidden role="status">{isEmpty || found.isSearching ? '' : words.found(total)}</VisuallyHidden>
      <Footer isSearching={found.isSearching} />
    </>
  );
}

interface EntryProps {
  readonly command: Command;
  readonly onChoose: (press: { readonly ctrlKey: boolean; readonly metaKey: boolean }) => void;
}

function Entry({ command: { label, description = '', icon, keys, count }, onChoose }: EntryProps) {
  return (
    <Spotlight.Action
      label={label}
      dimmedSections={false}
      highlightQuery
      {...(description !== '' && { description })}
      {...(icon !== null && { leftSection: icon })}
      {...((keys ?? count) !== undefined && {
        rightSection:
          keys === undefined ? <span className="p-command-count">{count}</span> : <Keys of={keys} />,
      })}
      onClick={onChoose}
    />
  );
}

function Keys({ of }: { readonly of: string }) {
  return (
    <Group gap={4} wrap="nowrap">
      {keySigns(of).map((sign) => (
        <Kbd key={sign}>{sign}</Kbd>
      ))}
    </Group>
  );
}

function Footer({ isSearching }: { readonly isSearching: boolean }) {
  const { texts } = useTexts();
  const { choose, run } = texts.frame.command;
  const words = useCommandWords();
  return (
    <Spotlight.Footer className="p-command-foot">
      <span>
        <Kbd>↑</Kbd> <Kbd>↓</Kbd> {choose}
      </span>
      <span>
        <Kbd>⏎</Kbd> {run}
      </span>
      <span>
        <Kbd>{keySigns('mod+Enter').join(' ')}</Kbd> {words.newTab}
      </span>
      <span className="p-command-end">
        {isSearching ? <Loader size={12} role="status" aria-label={words.searching} /> : words.pasteId}
      </span>
    </Spotlight.Footer>
  );
}

/**
 * Keeps an entry selected while the list changes below the person's fingers: the selected one if it is still there, otherwise
 * the first. `ids` names the listed entries.
 */
function useSelection(ids: string): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: another list is what is looked at
  useEffect(() => {
    const { listId } = commandStore.getState();
    const entries = [...(document.getElementById(listId)?.querySelectorAll('[data-action]') ?? [])];
    const at = entries.findIndex((entry) => entry.hasAttribute('data-selected'));
    if (at === -1) entries[0]?.setAttribute('data-selected', 'true');
    commandStore.updateState((state) => ({ ...state, selected: Math.max(at, 0) }));
  }, [ids]);
}
