import { ActionIcon, Button, Kbd, Menu, Text, Tooltip } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { useMemo, useRef, useState } from 'react';
import { useKind } from '../../../api/kinds.ts';
import {
  endSessions,
  markSeen,
  type Priority,
  refreshLists,
  timelineQuery,
} from '../../../api/queries/conversation.ts';
import { AlarmClock, Check, Ellipsis, UserPlus } from '../../../icons.ts';
import { type KeyAction, keySigns, useKeyActions, useKeysOf } from '../../../keys/registry.ts';
import { Icon } from '../../../parts/icon.tsx';
import { useTexts } from '../../../texts/texts.tsx';
import { SnoozeDialog, SnoozeItems } from './snooze-items.tsx';
import { useDesk } from './use-desk.ts';

/** The signs of an action's keys, in place of a word. */
function KeyOf({ id }: { readonly id: string }) {
  const keys = useKeysOf(id);
  return keys === undefined ? null : <Kbd aria-hidden="true">{keySigns(keys).join(' ')}</Kbd>;
}

/** Gives the conversation to somebody. */
export function AssignMenu() {
  const { texts } = useTexts();
  const words = texts.conversation.actions;
  const { head } = useDesk();
  const [opened, setOpened] = useState(false);
  useAssignKeys(setOpened);
  return (
    <Menu
      opened={opened}
      onChange={setOpened}
      position="bottom-end"
      width={260}
      withInitialFocusPlaceholder={false}
    >
      <Menu.Target>
        <Button
          variant="default"
          className="p-talk-assign"
          leftSection={<Icon of={UserPlus} />}
          rightSection={<KeyOf id="conversation-assign" />}
        >
          {head.assignee?.name ?? words.assign}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <AssignItems />
      </Menu.Dropdown>
    </Menu>
  );
}

function AssignItems() {
  const { texts } = useTexts();
  const { actions: words, done } = texts.conversation;
  const { head, agents, me, change } = useDesk();
  const sorted = agents.toSorted((a, b) => Number(b.id === me.id) - Number(a.id === me.id));
  return (
    <>
      <Menu.Label>{words.assignTo}</Menu.Label>
      {sorted.map(({ id, name, available }) => (
        <Menu.Item
          key={id}
          rightSection={
            head.assignee?.id === id ? (
              <Icon of={Check} />
            ) : (
              available && (
                <Text size="xs" c="dimmed">
                  {words.available}
                </Text>
              )
            )
          }
          onClick={() => change({ assignee: { id, name } }, done.assigned(name))}
        >
          {id === me.id ? words.assignMe : name}
        </Menu.Item>
      ))}
      {head.assignee !== null && (
        <Menu.Item onClick={() => change({ assignee: null }, done.unassigned)}>{words.unassign}</Menu.Item>
      )}
    </>
  );
}

/** The actions are offered once, so that the keys of a selection in the list, which come later, take precedence. */
function useAssignKeys(setOpened: (opened: boolean) => void): void {
  const { texts } = useTexts();
  const { keys: words, done } = texts.conversation;
  const { head, me, change } = useDesk();
  const latest = useRef({ head, me, change });
  latest.current = { head, me, change };
  const actions = useMemo<readonly KeyAction[]>(() => {
    const resolve = () => {
      const now = latest.current;
      if (now.head.status === 'resolved') now.change({ status: 'open' }, done.reopened);
      else now.change({ status: 'resolved' }, done.resolved);
    };
    const takeOver = () => {
      const now = latest.current;
      const isMine = now.head.assignee?.id === now.me.id && now.head.status === 'claimed';
      if (isMine) now.change({ status: 'open', assignee: null }, done.givenBack);
      else now.change({ status: 'claimed', assignee: now.me }, done.takenOver);
    };
    const assignMe = () => {
      const now = latest.current;
      now.change({ assignee: now.me }, done.assigned(now.me.name));
    };
    const here = { scope: 'here' } as const;
    return [
      { id: 'conversation-resolve', name: words.resolve, keys: 'e', ...here, run: resolve },
      { id: 'conversation-assign', name: words.assign, keys: 'a', ...here, run: () => setOpened(true) },
      { id: 'conversation-assign-me', name: words.assignMe, keys: 'i', ...here, run: assignMe },
      { id: 'conversation-take-over', name: words.takeOver, keys: 't', ...here, run: takeOver },
    ];
  }, [words, done, setOpened]);
  useKeyActions(actions);
}

/** Snoozes the conversation until a time. */
export function SnoozeMenu() {
  const { texts } = useTexts();
  const { actions: words, keys } = texts.conversation;
  const [opened, setOpened] = useState(false);
  const [isChoosing, setChoosing] = useState(false);
  const actions = useMemo<readonly KeyAction[]>(
    () => [
      {
        id: 'conversation-snooze',
        name: keys.snooze,
        keys: 's',
        scope: 'here',
        run: () => setOpened(true),
      },
    ],
    [keys],
  );
  useKeyActions(actions);
  return (
    <>
      <Menu
        opened={opened}
        onChange={setOpened}
        position="bottom-end"
        width={260}
        withInitialFocusPlaceholder={false}
      >
        <Menu.Target>
          <Tooltip label={words.snooze}>
            <ActionIcon aria-label={words.snooze}>
              <Icon of={AlarmClock} />
            </ActionIcon>
          </Tooltip>
        </Menu.Target>
        <Menu.Dropdown>
          <SnoozeItems onOwn={() => setChoosing(true)} />
        </Menu.Dropdown>
      </Menu>
      <SnoozeDialog opened={isChoosing} onClose={() => setChoosing(false)} />
    </>
  );
}

const priorities: readonly Priority[] = ['low', 'normal', 'high', 'urgent'];

/** The menu of rare actions. On phones it has all actions. */
export function MoreMenu() {
  const { texts } = useTexts();
  const words = texts.conversation;
  const { mayReply, head, me, change } = useDesk();
  const [isChoosing, setChoosing] = useState(false);
  const isMine = head.assignee?.id === me.id && head.status === 'claimed';
  return (
    <>
      <Menu position="bottom-end" width={280} withInitialFocusPlaceholder={false}>
        <Menu.Target>
          <ActionIcon aria-label={words.more}>
            <Icon of={Ellipsis} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown mah="70vh" style={{ overflowY: 'auto' }}>
          {mayReply && (
            <>
              <Menu.Item
                rightSection={<KeyOf id="conversation-take-over" />}
                onClick={() =>
                  isMine
                    ? change({ status: 'open', assignee: null }, words.done.givenBack)
                    : change({ status: 'claimed', assignee: me }, words.done.takenOver)
                }
              >
                {isMine ? words.actions.giveBack : words.actions.takeOver}
              </Menu.Item>
              <div className="p-talk-narrow">
                <AssignItems />
                <Menu.Divider />
                <SnoozeItems onOwn={() => setChoosing(true)} />
              </div>
              <Menu.Divider />
              <Menu.Label>{words.actions.priority}</Menu.Label>
              {priorities.map((priority) => (
                <Menu.Item
                  key={priority}
                  {...(head.priority === priority && { rightSection: <Icon of={Check} /> })}
                  onClick={() => change({ priority }, words.done.priority(words.priorities[priority]))}
                >
                  {words.priorities[priority]}
                </Menu.Item>
              ))}
              <Menu.Divider />
              <SeldomItems />
            </>
          )}
          <CopyLinkItem />
        </Menu.Dropdown>
      </Menu>
      <SnoozeDialog opened={isChoosing} onClose={() => setChoosing(false)} />
    </>
  );
}

function CopyLinkItem() {
  const { texts } = useTexts();
  const words = texts.conversation.actions;
  const copy = async () => {
    await navigator.clipboard.writeText(location.href);
    notifications.show({ className: 'p-toast', message: words.copied });
  };
  return <Menu.Item onClick={() => void copy()}>{words.copyLink}</Menu.Item>;
}

function SeldomItems() {
  const { texts } = useTexts();
  const { actions: words, done } = texts.conversation;
  const { head, place, change, fail } = useDesk();
  const client = useQueryClient();
  const markUnread = async () => {
    const entries = client.getQueryData(timelineQuery(place).queryKey)?.pages.flatMap((page) => page.entries);
    const last = entries?.find((entry) => entry.kind === 'message' && entry.message.role === 'user');
    if (last?.kind !== 'message') return;
    await markSeen(place, { position: last.position - 1, back: true });
    void refreshLists(client, place.workspace);
    notifications.show({ className: 'p-toast', message: done.unread });
  };
  const signOut = async () => {
    const { ended } = await endSessions(place);
    notifications.show({ className: 'p-toast', message: words.sessionsEnded(ended) });
  };
  const hasSessions = useKind(head.channel)?.facets.includes('own_chat') === true;
  return (
    <>
      <Menu.Item onClick={() => markUnread().catch(fail)}>{words.unread}</Menu.Item>
      {head.status === 'open' && (
        <Menu.Item onClick={() => change({ status: 'escalated' }, texts.conversation.statuses.escalated)}>
          {words.escalate}
        </Menu.Item>
      )}
      {head.status !== 'archived' && (
        <Menu.Item onClick={() => change({ status: 'archived' }, done.archived)}>{words.archive}</Menu.Item>
      )}
      {hasSessions && <Menu.Item onClick={() => signOut().catch(fail)}>{words.endSessions}</Menu.Item>}
    </>
  );
}
