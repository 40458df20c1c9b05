import { Modal, Text, TextInput, Title } from '@mantine/core';
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { Check, type IconType } from '../../../../icons.ts';
import { Icon } from '../../../../parts/icon.tsx';
import { useTexts } from '../../../../texts/texts.tsx';

export interface PickOption {
  readonly value: string;
  readonly label: string;
  readonly detail?: string | undefined;
  readonly icon?: IconType | undefined;
  readonly mark?: ReactNode;
  /** The values that all of them have. */
  readonly checked?: boolean | undefined;
}

interface PickDialogProps {
  readonly title: string;
  readonly hint: string;
  /** The options for what was typed. */
  readonly options: (typed: string) => readonly PickOption[];
  readonly onPick: (value: string) => void;
  readonly onClose: () => void;
  /** Content in place of the list, such as a field for a date. */
  readonly children?: ReactNode;
}

/** One field that narrows down a list of choices: arrows and Enter, or the pointer. */
export function PickDialog({ title, hint, options: find, onPick, onClose, children }: PickDialogProps) {
  const { texts } = useTexts();
  const [typed, setTyped] = useState('');
  const [active, setActive] = useState(0);
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const options = find(typed.trim());
  const chosen = options[Math.min(active, options.length - 1)];
  useEffect(() => {
    list.current?.querySelector('[data-active]')?.scrollIntoView({ block: 'nearest' });
  });
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      setActive((Math.min(active, options.length - 1) + step + options.length) % Math.max(1, options.length));
    } else if (event.key === 'Enter' && chosen !== undefined) {
      event.preventDefault();
      setTyped('');
      onPick(chosen.value);
    }
  };
  return (
    <Modal
      opened
      onClose={onClose}
      withCloseButton={false}
      attributes={{ content: { 'aria-label': title } }}
      centered={false}
      yOffset={112}
      size={420}
      className="p-pick"
      transitionProps={{ duration: 0 }}
    >
      <Title order={2} className="p-pick-title">
        {title}
      </Title>
      {children ?? (
        <>
          <TextInput
            data-autofocus
            aria-label={hint}
            placeholder={hint}
            value={typed}
            role="combobox"
            aria-expanded
            aria-controls={`${id}-list`}
            {...(chosen !== undefined && { 'aria-activedescendant': `${id}-${chosen.value}` })}
            onChange={({ currentTarget: { value } }) => {
              setTyped(value);
              setActive(0);
            }}
            onKeyDown={onKeyDown}
          />
          <div
            ref={list}
            id={`${id}-list`}
            className="p-pick-list"
            role="listbox"
            aria-label={title}
            tabIndex={-1}
          >
            {options.map((option) => (
              // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are heard by the field
              <div
                key={option.value}
                id={`${id}-${option.value}`}
                role="option"
                tabIndex={-1}
                aria-selected={option === chosen}
                className="p-pick-option"
                data-active={option === chosen || undefined}
                onClick={() => {
                  setTyped('');
                  onPick(option.value);
                }}
              >
                {option.mark ?? (option.icon !== undefined && <Icon of={option.icon} color="var(--p-dim)" />)}
                <span className="p-pick-label">{option.label}</span>
                {option.detail !== undefined && <span className="p-pick-detail">{option.detail}</span>}
                {option.checked === true && <Icon of={Check} size={14} color="var(--p-accent)" />}
              </div>
            ))}
          </div>
          {options.length === 0 && (
            <Text c="dimmed" p="md" role="status">
              {texts.inbox.pick.nothing}
            </Text>
          )}
        </>
      )}
    </Modal>
  );
}
