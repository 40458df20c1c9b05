import { Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import type { Channel, ChannelCheck, ChannelNote } from '../../../api/queries/channels.ts';
import { useMe } from '../../../api/queries/me.ts';
import { Check, CircleAlert, CircleDashed, CircleQuestionMark, type IconType, Lock } from '../../../icons.ts';
import { Icon } from '../../../parts/icon.tsx';
import type { Catalogue } from '../../../texts/english.ts';
import { kindName, useTexts } from '../../../texts/texts.tsx';

interface CheckListProps {
  readonly channel: Channel;
  readonly checks: readonly ChannelCheck[];
  readonly notes: readonly ChannelNote[];
}

/** The checks with their evidence and times. A remedy opens below the check that needs it. */
export function CheckList({ channel, checks, notes }: CheckListProps) {
  const { texts } = useTexts();
  return (
    <ul className="p-card p-checks" aria-label={texts.channels.checks.title} aria-live="polite">
      {checks.map((check) => (
        <CheckLine key={check.id} channel={channel} check={check} />
      ))}
      {notes.map((note) => (
        <NoteLine key={note} note={note} />
      ))}
    </ul>
  );
}

const signs: Readonly<Record<ChannelCheck['state'], IconType>> = {
  done: Check,
  waiting: CircleDashed,
  failed: CircleAlert,
  blocked: Lock,
};

function CheckLine({ channel, check }: { readonly channel: Channel; readonly check: ChannelCheck }) {
  const { texts, locale } = useTexts();
  const { person } = useMe();
  const words = texts.channels.checks;
  const { id, state, at } = check;
  const [isAsked, setAsked] = useState(false);
  const isIll = state === 'failed' || state === 'blocked';
  const zone = person.time_zone ?? undefined;
  const format = new Intl.DateTimeFormat(locale, {
    timeStyle: 'medium',
    ...(at !== null && !isToday(at) && { dateStyle: 'short' as const }),
    ...(zone !== undefined && { timeZone: zone }),
  });
  return (
    <li className="p-check" data-state={state} data-check={id}>
      <span className="p-check-sign">
        <Icon of={signs[state]} size={14} label={words.state[state]} />
      </span>
      <div className="p-check-text">
        <Text fw={500}>{nameOf(channel, id, texts)}</Text>
        <Group gap="sm" wrap="wrap">
          <Text c="var(--p-text-2)" size="sm" className="p-break">
            {evidenceOf(channel, check, texts)}
          </Text>
          {state !== 'done' && !isIll && <AskButton isAsked={isAsked} onAsk={() => setAsked(!isAsked)} />}
        </Group>
        {(isIll || (isAsked && state !== 'done')) && (
          <div className="p-help">
            <Text fw={600} size="sm">
              {words.whatToDo}
            </Text>
            <Text size="sm">{helpOf(channel, check, texts)}</Text>
          </div>
        )}
      </div>
      {at === null ? (
        <Text size="xs" c="dimmed">
          {state === 'waiting' ? words.listening : words.state[state]}
        </Text>
      ) : (
        <Text component="time" dateTime={at} size="xs" c="dimmed" className="p-numbers">
          {format.format(new Date(at))}
        </Text>
      )}
    </li>
  );
}

/** A fact that is no fault. Its remedy opens below it. */
function NoteLine({ note }: { readonly note: ChannelNote }) {
  const { texts } = useTexts();
  const { notes, whatToDo } = texts.channels.checks;
  const { title, text, help } = notes[note];
  const [isAsked, setAsked] = useState(false);
  return (
    <li className="p-check" data-state="note" data-note={note}>
      <span className="p-check-sign">
        <Icon of={CircleAlert} size={14} label={notes.label} />
      </span>
      <div className="p-check-text">
        <Text fw={500}>{title}</Text>
        <Group gap="sm" wrap="wrap">
          <Text c="var(--p-text-2)" size="sm">
            {text}
          </Text>
          <AskButton isAsked={isAsked} onAsk={() => setAsked(!isAsked)} />
        </Group>
        {isAsked && (
          <div className="p-help">
            <Text fw={600} size="sm">
              {whatToDo}
            </Text>
            <ol className="p-help-steps">
              {help.map((step) => (
                <li key={step}>{step}</li>
              ))}
            </ol>
          </div>
        )}
      </div>
    </li>
  );
}

interface AskButtonProps {
  readonly isAsked: boolean;
  readonly onAsk: () => void;
}

function AskButton({ isAsked, onAsk }: AskButtonProps) {
  const { texts } = useTexts();
  return (
    <Button
      variant="transparent"
      size="compact-xs"
      px={0}
      leftSection={<Icon of={CircleQuestionMark} size={12} />}
      aria-expanded={isAsked}
      onClick={onAsk}
    >
      {texts.channels.checks.whatToDo}
    </Button>
  );
}

function isToday(at: string): boolean {
  return new Date(at).toDateString() === new Date().toDateString();
}

/** Whether Parley connects to the platform, and not the platform to Parley. */
function isConnecting({ webhook_url: address, parent }: Channel, id: ChannelCheck['id']): boolean {
  return id === 'connection' && address === null && parent === null;
}

function nameOf(channel: Channel, id: ChannelCheck['id'], texts: Catalogue): string {
  const { names } = texts.channels.checks;
  const kind = kindName(channel.channel, texts);
  if (isConnecting(channel, id)) return names.connected(kind);
  return id === 'credentials' || id === 'connection' ? names[id](kind) : names[id];
}

function evidenceOf({ profile }: Channel, { id, state, detail }: ChannelCheck, texts: Catalogue): string {
  const { done, waiting, failed } = texts.channels.checks;
  if (detail !== null) return detail;
  if (state === 'blocked') return texts.channels.publicUrl.missing;
  if (state === 'failed') return id === 'signature' ? failed.signature : failed.connection;
  if (state === 'waiting') return waiting[id];
  if (id !== 'credentials') return done[id];
  const name = profile.name ?? profile.app_name ?? profile.account ?? '';
  return done.credentials(typeof name === 'string' ? name : '');
}

function helpOf(channel: Channel, { id, state }: ChannelCheck, texts: Catalogue): string {
  const { help } = texts.channels.checks;
  if (state === 'blocked') return help.blocked;
  return isConnecting(channel, id) ? help.connected : help[id];
}
