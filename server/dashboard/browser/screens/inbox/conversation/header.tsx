import { ActionIcon, Button, Kbd, Title, Tooltip } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { Conversation } from '../../../api/queries/conversation.ts';
import { ArrowLeft, Check, PanelRight, RotateCcw } from '../../../icons.ts';
import { type KeyAction, keySigns, useKeyActions, useKeysOf } from '../../../keys/registry.ts';
import { useVisitorTyping } from '../../../live/live-state.ts';
import { useOthers } from '../../../live/presence.ts';
import { Icon } from '../../../parts/icon.tsx';
import { StatusPill } from '../../../parts/pills.tsx';
import { useTexts } from '../../../texts/texts.tsx';
import { KindIcon } from '../../channels/cards/kind-icon.tsx';
import { AssignMenu, MoreMenu, SnoozeMenu } from './actions.tsx';
import { SlaPill } from './sla-pill.tsx';
import { useDesk } from './use-desk.ts';
import type { Pane } from './use-pane.ts';

/** The visitor, their waiting time, the other people who look, and the actions. */
export function Header({ pane }: { readonly pane: Pane }) {
  const { texts } = useTexts();
  const words = texts.conversation;
  const { place, head, name, channelName, mayReply } = useDesk();
  // On phones the list with its heading is not shown beside it.
  const isAlone = useMediaQuery('(max-width: 47.99em)', false, { getInitialValueInEffect: false });
  return (
    <header className="p-talk-head">
      <Link
        to="/w/$workspace/inbox"
        params={{ workspace: place.workspace }}
        search={(before: Record<string, string>) => before}
        className="p-talk-back"
        aria-label={words.back}
      >
        <Icon of={ArrowLeft} size={20} />
      </Link>
      <div className="p-talk-who">
        <Title order={isAlone ? 1 : 2} className="p-talk-name" title={name}>
          {name}
        </Title>
        <div className="p-talk-about">
          <span className="p-talk-channel">
            <KindIcon kind={head.channel} size={14} />
            <span>{channelName}</span>
          </span>
          <Presence />
        </div>
      </div>
      <div className="p-talk-actions">
        <SlaPill head={head} />
        <StateOf head={head} />
        {mayReply && (
          <>
            <span className="p-talk-wide">
              <AssignMenu />
            </span>
            <ResolveButton />
            <span className="p-talk-wide p-talk-snooze">
              <SnoozeMenu />
            </span>
          </>
        )}
        <PaneButton pane={pane} />
        <MoreMenu />
      </div>
    </header>
  );
}

/** The status, unless it is the usual one. */
function StateOf({ head: { status } }: { readonly head: Conversation }) {
  const { texts } = useTexts();
  if (status === 'open' || status === 'claimed' || status === 'escalated') return null;
  return (
    <StatusPill tone={status === 'resolved' ? 'green' : 'grey'}>
      {texts.conversation.statuses[status]}
    </StatusPill>
  );
}

function ResolveButton() {
  const { texts } = useTexts();
  const words = texts.conversation;
  const { head, change } = useDesk();
  const keys = useKeysOf('conversation-resolve');
  const isDone = head.status === 'resolved';
  const toggle = () =>
    isDone
      ? change({ status: 'open' }, words.done.reopened)
      : change({ status: 'resolved' }, words.done.resolved);
  const label = isDone ? words.actions.reopen : words.actions.resolve;
  return (
    <Button
      variant="default"
      className="p-talk-resolve"
      leftSection={<Icon of={isDone ? RotateCcw : Check} />}
      {...(keys !== undefined && { rightSection: <Kbd aria-hidden="true">{keySigns(keys).join(' ')}</Kbd> })}
      onClick={toggle}
    >
      {label}
    </Button>
  );
}

function PaneButton({ pane }: { readonly pane: Pane }) {
  const { texts } = useTexts();
  const words = texts.conversation;
  const label = pane.isOpen ? words.hideDetails : words.showDetails;
  const { toggle } = pane;
  const actions = useMemo<readonly KeyAction[]>(
    () => [
      { id: 'conversation-details', name: words.keys.details, keys: 'd', scope: 'here', run: () => toggle() },
    ],
    [words, toggle],
  );
  useKeyActions(actions);
  return (
    <Tooltip label={label}>
      <ActionIcon aria-label={label} aria-expanded={pane.isOpen} onClick={toggle}>
        <Icon of={PanelRight} />
      </ActionIcon>
    </Tooltip>
  );
}

/** Other people who have the conversation open, and whether the visitor types. */
function Presence() {
  const { language, texts } = useTexts();
  const words = texts.conversation.presence;
  const { place, name } = useDesk();
  const others = useOthers(place.conversation);
  const isTyping = useVisitorTyping(place.conversation);
  const list = new Intl.ListFormat(language, { type: 'conjunction' });
  const namesOf = (doing: 'viewing' | 'writing') =>
    others.filter((each) => each.doing === doing).map((each) => each.name);
  const [writing, looking] = [namesOf('writing'), namesOf('viewing')];
  const sayings = [
    ...(writing.length > 0
      ? [writing.length === 1 ? words.writing(list.format(writing)) : words.writeMany(list.format(writing))]
      : []),
    ...(looking.length > 0
      ? [looking.length === 1 ? words.looking(list.format(looking)) : words.lookMany(list.format(looking))]
      : []),
  ];
  return (
    <span className="p-talk-presence" role="status">
      {isTyping && <span className="p-talk-typing">{words.visitorTyping(name)}</span>}
      {sayings.map((saying) => (
        <span key={saying} {...(writing.length > 0 && saying === sayings[0] && { 'data-writing': true })}>
          {saying}
        </span>
      ))}
    </span>
  );
}
