import { Button, Group, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { InboxAgent, InboxRow } from '../../../../api/queries/inbox.ts';
import { useMe } from '../../../../api/queries/me.ts';
import { tagsQuery } from '../../../../api/queries/snippets.ts';
import { useWorkspaceId } from '../../../../api/queries/workspace.ts';
import { AlarmClock, Circle, Flag, Plus, Tags as TagsIcon, UserRound } from '../../../../icons.ts';
import { customerName, useTexts } from '../../../../texts/texts.tsx';
import { priorities } from '../../views/address.ts';
import { Letters } from '../rows/letters.tsx';
import type { RowChange } from '../rows/predict-change.ts';
import type { Targets } from '../use-actions.ts';
import { PickDialog, type PickOption } from './pick-dialog.tsx';
import { snoozeTimes } from './snooze-times.ts';

export type PickerKind = 'snooze' | 'assign' | 'tags' | 'priority';

interface PickersProps {
  readonly kind: PickerKind;
  readonly targets: Targets;
  readonly agents: readonly InboxAgent[];
  readonly onChange: (change: RowChange) => void;
  readonly onClose: () => void;
}

/** The dialogs that choose a time, a person, tags or a priority for the conversations. */
export function Pickers(props: PickersProps) {
  switch (props.kind) {
    case 'snooze':
      return <SnoozePicker {...props} />;
    case 'assign':
      return <AssignPicker {...props} />;
    case 'tags':
      return <TagPicker {...props} />;
    case 'priority':
      return <PriorityPicker {...props} />;
  }
}

function useTitle({ kind, targets }: PickersProps): string {
  const { texts } = useTexts();
  const words = texts.inbox;
  const [first] = targets.rows;
  if (targets.all) return words.pick[kind](words.bulk.all(null));
  if (targets.rows.length !== 1 || first === undefined)
    return words.pick[kind](words.pick.many(targets.rows.length));
  return words.pick[kind](customerName(first, texts));
}

const matches = (label: string, typed: string) => label.toLowerCase().includes(typed.toLowerCase());

function SnoozePicker(props: PickersProps) {
  const { onChange, onClose } = props;
  const { texts, language } = useTexts();
  const words = texts.inbox.pick;
  const title = useTitle(props);
  const [isCustom, setCustom] = useState(false);
  const format = new Intl.DateTimeFormat(language, { weekday: 'short', hour: 'numeric', minute: '2-digit' });
  const times = snoozeTimes(new Date());
  const choose = (until: Date) => {
    onChange({ status: 'snoozed', snooze_until: until.toISOString() });
    onClose();
  };
  const options = (typed: string): readonly PickOption[] =>
    [
      ...times.map(({ id, at }) => ({
        value: id,
        label: words[id],
        detail: format.format(at),
        icon: AlarmClock,
      })),
      { value: 'custom', label: words.custom, icon: AlarmClock },
    ].filter(({ label }) => matches(label, typed));
  return (
    <PickDialog
      title={title}
      hint={words.snoozeHint}
      options={options}
      onClose={onClose}
      onPick={(value) => {
        const found = times.find(({ id }) => id === value);
        if (found === undefined) setCustom(true);
        else choose(found.at);
      }}
    >
      {isCustom ? <CustomTime onChoose={choose} /> : null}
    </PickDialog>
  );
}

function CustomTime({ onChoose }: { readonly onChoose: (until: Date) => void }) {
  const { texts } = useTexts();
  const words = texts.inbox.pick;
  const [value, setValue] = useState('');
  const [isPast, setPast] = useState(false);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const at = new Date(value);
    if (Number.isNaN(at.getTime()) || at.getTime() <= Date.now()) setPast(true);
    else onChoose(at);
  };
  return (
    <form onSubmit={submit}>
      <TextInput
        data-autofocus
        autoFocus
        type="datetime-local"
        label={words.customTime}
        value={value}
        error={isPast && words.past}
        onChange={({ currentTarget }) => {
          setPast(false);
          setValue(currentTarget.value);
        }}
      />
      <Group mt="md">
        <Button type="submit">{texts.inbox.actions.snooze}</Button>
      </Group>
    </form>
  );
}

/** Whether all rows agree on something. */
function haveAll({ rows }: Targets, has: (row: InboxRow) => boolean): boolean {
  return rows.length > 0 && rows.every(has);
}

const nobody = 'nobody';

function AssignPicker(props: PickersProps) {
  const { targets, agents, onChange, onClose } = props;
  const { texts } = useTexts();
  const words = texts.inbox.pick;
  const me = useMe().person.id;
  const mineFirst = agents.toSorted((a, b) => Number(b.id === me) - Number(a.id === me));
  const options = (typed: string): readonly PickOption[] =>
    [
      ...mineFirst.map((agent) => ({
        value: agent.id,
        label: agent.id === me ? `${agent.name} (${texts.inbox.me})` : agent.name,
        mark: <Letters person={agent} />,
        detail: `${agent.available ? words.available : words.away} · ${words.open(agent.open)}`,
        checked: haveAll(targets, ({ assignee }) => assignee?.id === agent.id),
      })),
      {
        value: nobody,
        label: words.queue,
        icon: UserRound,
        checked: haveAll(targets, ({ assignee }) => assignee === null),
      },
    ].filter(({ label }) => matches(label, typed));
  return (
    <PickDialog
      title={useTitle(props)}
      hint={words.assignHint}
      options={options}
      onClose={onClose}
      onPick={(value) => {
        onChange({ assignee_id: value === nobody ? null : value });
        onClose();
      }}
    />
  );
}

const newTag = 'new:';

/** The dialog stays open, so that several tags are set one after the other. */
function TagPicker(props: PickersProps) {
  const { targets, onChange, onClose } = props;
  const { texts } = useTexts();
  const words = texts.inbox.pick;
  const { data } = useQuery(tagsQuery(useWorkspaceId()));
  const [changed, setChanged] = useState<ReadonlyMap<string, boolean>>(new Map());
  const known = [...new Set([...changed.keys(), ...(data?.tags ?? []).map(({ tag }) => tag)])];
  const isOn = (tag: string) => changed.get(tag) ?? haveAll(targets, ({ tags }) => tags.includes(tag));
  const options = (typed: string): readonly PickOption[] => {
    const found = known
      .filter((tag) => matches(tag, typed))
      .map((tag) => ({ value: tag, label: tag, icon: TagsIcon, checked: isOn(tag) }));
    const isNew = typed !== '' && !known.includes(typed);
    return isNew ? [...found, { value: newTag + typed, label: words.addTag(typed), icon: Plus }] : found;
  };
  return (
    <PickDialog
      title={useTitle(props)}
      hint={words.tagsHint}
      options={options}
      onClose={onClose}
      onPick={(value) => {
        const tag = value.startsWith(newTag) ? value.slice(newTag.length) : value;
        const on = !isOn(tag);
        setChanged(new Map([...changed, [tag, on] as const]));
        onChange(on ? { add_tags: [tag] } : { remove_tags: [tag] });
      }}
    />
  );
}

function PriorityPicker(props: PickersProps) {
  const { targets, onChange, onClose } = props;
  const { texts } = useTexts();
  const words = texts.inbox;
  const options = (typed: string): readonly PickOption[] =>
    priorities
      .map((priority) => ({
        value: priority,
        label: words.priorities[priority],
        icon: priority === 'normal' ? Circle : Flag,
        checked: haveAll(targets, (row) => row.priority === priority),
      }))
      .filter(({ label }) => matches(label, typed));
  return (
    <PickDialog
      title={useTitle(props)}
      hint={words.pick.priorityHint}
      options={options}
      onClose={onClose}
      onPick={(value) => {
        const priority = priorities.find((each) => each === value);
        if (priority !== undefined) onChange({ priority });
        onClose();
      }}
    />
  );
}
