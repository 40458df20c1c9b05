import { Button, Menu, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTexts } from '../../../texts/texts.tsx';
import { useDesk } from './use-desk.ts';
import { useTimes } from './use-times.ts';

const hourMs = 3_600_000;

/** At `hour`, the given number of days from now, as the browser's clock counts. */
function dayAt(now: Date, days: number, hour: number): Date {
  const at = new Date(now);
  at.setDate(at.getDate() + days);
  at.setHours(hour, 0, 0, 0);
  return at;
}

/** The times until which a conversation can be put aside. */
export function SnoozeItems({ onDone }: { readonly onDone: () => void }) {
  const { texts } = useTexts();
  const { snoozeFor: words, actions, done } = texts.conversation;
  const { head, change } = useDesk();
  const times = useTimes();
  const [own, setOwn] = useState('');
  const now = new Date();
  const evening = dayAt(now, 0, 18);
  const untilMonday = (8 - now.getDay()) % 7 || 7;
  const choices = [
    { name: words.hour, at: new Date(now.getTime() + hourMs) },
    ...(evening.getTime() > now.getTime() + hourMs ? [{ name: words.evening, at: evening }] : []),
    { name: words.tomorrow, at: dayAt(now, 1, 9) },
    { name: words.week, at: dayAt(now, untilMonday, 9) },
  ];
  const snooze = (at: Date) => {
    change({ status: 'snoozed', snooze_until: at.toISOString() }, done.snoozed);
    onDone();
  };
  const isPossible = own !== '' && new Date(own).getTime() > Date.now();
  return (
    <>
      <Menu.Label>{actions.snooze}</Menu.Label>
      {head.status === 'snoozed' && (
        <Menu.Item onClick={() => change({ status: 'open' }, done.reopened)}>{actions.reopen}</Menu.Item>
      )}
      {choices.map(({ name, at }) => (
        <Menu.Item
          key={name}
          onClick={() => snooze(at)}
          rightSection={<span className="p-talk-when">{times.clock(at)}</span>}
        >
          {name}
        </Menu.Item>
      ))}
      <div className="p-snooze-own">
        <TextInput
          type="datetime-local"
          size="xs"
          label={words.until}
          value={own}
          onChange={(event) => setOwn(event.currentTarget.value)}
          onKeyDown={(event) => event.stopPropagation()}
        />
        <Button variant="default" size="xs" disabled={!isPossible} onClick={() => snooze(new Date(own))}>
          {words.set}
        </Button>
      </div>
    </>
  );
}
