import { ActionIcon, Text, Tooltip, UnstyledButton } from '@mantine/core';
import { AlarmClock, Check, Flag, type IconType, Tags, Trash2, UserPlus, X } from '../../../../icons.ts';
import { Icon } from '../../../../parts/icon.tsx';
import { useTexts } from '../../../../texts/texts.tsx';

export type BulkAct = 'resolve' | 'assign' | 'snooze' | 'tags' | 'priority' | 'delete';

interface BulkBarProps {
  readonly count: number;
  /** Whether all that match are selected. */
  readonly isAll: boolean;
  /** The number that match; null if it is not counted. */
  readonly matching: number | null;
  readonly mayDelete: boolean;
  readonly onAct: (act: BulkAct) => void;
  readonly onPickAll: () => void;
  readonly onClear: () => void;
}

const acts: readonly { readonly act: BulkAct; readonly icon: IconType; readonly key?: string }[] = [
  { act: 'resolve', icon: Check, key: 'E' },
  { act: 'assign', icon: UserPlus, key: 'A' },
  { act: 'snooze', icon: AlarmClock, key: 'S' },
  { act: 'tags', icon: Tags, key: 'L' },
  { act: 'priority', icon: Flag, key: 'P' },
  { act: 'delete', icon: Trash2 },
];

/** The actions on the selected conversations. */
export function BulkBar({ count, isAll, matching, mayDelete, onAct, onPickAll, onClear }: BulkBarProps) {
  const { texts } = useTexts();
  const words = texts.inbox;
  return (
    <section className="p-list-bulk" aria-label={words.bulk.label}>
      <div className="p-list-bulk-line">
        <Text fw={600} role="status" className="p-numbers">
          {isAll ? words.bulk.all(matching) : words.bulk.picked(count)}
        </Text>
        {!isAll && (
          <UnstyledButton className="p-link" onClick={onPickAll}>
            {words.bulk.pickAll(matching)}
          </UnstyledButton>
        )}
      </div>
      <div className="p-list-bulk-line">
        {acts.map(({ act, icon, key }) => {
          const isOff = act === 'delete' && !mayDelete;
          const label = words.actions[act];
          return (
            <Tooltip key={act} label={isOff ? words.pick.owners : [label, key].join('  ').trimEnd()}>
              <ActionIcon
                aria-label={label}
                {...(isOff && { 'aria-disabled': true, 'data-disabled': true })}
                {...(act === 'delete' && { c: 'var(--p-red)' })}
                onClick={() => !isOff && onAct(act)}
              >
                <Icon of={icon} />
              </ActionIcon>
            </Tooltip>
          );
        })}
        <Tooltip label={`${words.bulk.clear}  Esc`}>
          <ActionIcon aria-label={words.bulk.clear} ms="auto" onClick={onClear}>
            <Icon of={X} />
          </ActionIcon>
        </Tooltip>
      </div>
    </section>
  );
}
