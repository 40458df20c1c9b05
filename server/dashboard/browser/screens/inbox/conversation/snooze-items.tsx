import { Button, Menu, Modal, TextInput } from '@mantine/core';
import { type SubmitEvent, useState } from 'react';
import { useTexts } from '../../../texts/texts.tsx';
import { useDesk } from './use-desk.ts';
import { useTimes } from './use-times.ts';

const hourMs = 3_600_000;

/** Returns the time at `hour`, the given number of days from now, by the browser's clock. */
function dayAt(now: Date, days: number, hour: number): Date {
  const at = new Date(now);
  at.setDate(at.getDate() + days);
  at.setHours(hour, 0, 0, 0);
  return at;
}

interface SnoozeItemsProps {
  /** Opens the dialog for any other time. */
  readonly onOwn: () => void;
}

/** The times until which a conversation can be snoozed, in a menu. */
export function SnoozeItems({ onOwn }: SnoozeItemsProps) {
  const { texts } = useTexts();
  const { snoozeFor: words, actions, done } = texts.conversation;
  const { head, change } = useDesk();
  const times = useTimes();
  const now = new Date();
  const evening = dayAt(now, 0, 18);
  const untilMonday = (8 - now.getDay()) % 7 || 7;
  const choices = [
    { name: words.hour, at: new Date(now.getTime() + hourMs) },
    ...(evening.getTime() > now.getTime() + hourMs ? [{ name: words.evening, at: evening }] : []),
    { name: words.tomorrow, at: dayAt(now, 1, 9) },
    { name: words.week, at: dayAt(now, untilMonday, 9) },
  ];
  return (
    <>
      <Menu.Label>{actions.snooze}</Menu.Label>
      {head.status === 'snoozed' && (
        <Menu.Item onClick={() => change({ status: 'open' }, done.reopened)}>{actions.reopen}</Menu.Item>
      )}
      {choices.map(({ name, at }) => (
        <Menu.Item
          key={name}
          onClick={() => change({ status: 'snoozed', snooze_until: at.toISOString() }, done.snoozed)}
          rightSection={<span className="p-talk-when">{times.clock(at)}</span>}
        >
          {name}
        </Menu.Item>
      ))}
      <Menu.Item onClick={onOwn}>{words.own}</Menu.Item>
    </>
  );
}

interface SnoozeDialogProps {
  readonly opened: boolean;
  readonly onClose: () => void;
}

/** Snoozes the conversation until any time. */
export function SnoozeDialog({ opened, onClose }: SnoozeDialogProps) {
  const { texts } = useTexts();
  const { snoozeFor: words, done } = texts.conversation;
  const { change } = useDesk();
  const [own, setOwn] = useState('');
  const isPossible = own !== '' && new Date(own).getTime() > Date.now();
  const snooze = (event: SubmitEvent) => {
    event.preventDefault();
    if (!isPossible) return;
    change({ status: 'snoozed', snooze_until: new Date(own).toISOString() }, done.snoozed);
    onClose();
  };
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={words.until}
      size={320}
      closeButtonProps={{ 'aria-label': texts.frame.close }}
    >
      <form className="p-snooze-own" onSubmit={snooze}>
        <TextInput
          type="datetime-local"
          data-autofocus
          aria-label={words.until}
          value={own}
          onChange={(event) => setOwn(event.currentTarget.value)}
        />
        <Button type="submit" disabled={!isPossible}>
          {words.set}
        </Button>
      </form>
    </Modal>
  );
}
