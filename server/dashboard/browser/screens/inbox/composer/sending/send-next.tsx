import { ActionIcon, Button, Kbd, Menu } from '@mantine/core';
import { useState } from 'react';
import { Check, ChevronDown } from '../../../../icons.ts';
import { keySigns } from '../../../../keys/registry.ts';
import { Icon } from '../../../../parts/icon.tsx';
import { useTexts } from '../../../../texts/texts.tsx';
import { useDeskWords } from '../../desk-words.ts';
import { undoChoices, undoSeconds } from '../outbox.ts';
import { type Ending, nextEnding, nextEndings } from './endings.ts';

interface SendNextProps {
  readonly isReady: boolean;
  readonly isBusy: boolean;
  readonly onSend: (ending: Ending) => void;
}

/** Sends and goes on, as the person chose it in the menu beside the button. */
export function SendNext({ isReady, isBusy, onSend }: SendNextProps) {
  const { texts } = useTexts();
  const signs = keySigns('mod+Shift+Enter').join(' ');
  const words = texts.conversation.composer;
  const { endings, endingsLabel } = useDeskWords();
  const [ending, setEnding] = useState(nextEnding.read);
  const [seconds, setSeconds] = useState(undoSeconds.read);
  return (
    <div className="p-composer-send" data-next>
      <Button
        variant="default"
        rightSection={<Kbd aria-hidden="true">{signs}</Kbd>}
        disabled={!isReady || isBusy}
        title={`${endings[ending].name}  ${signs}`}
        onClick={() => onSend(ending)}
      >
        {endings[ending].short}
      </Button>
      <Menu position="top-end" width={280} withInitialFocusPlaceholder={false}>
        <Menu.Target>
          <ActionIcon variant="default" aria-label={words.sendMenu}>
            <Icon of={ChevronDown} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>{endingsLabel}</Menu.Label>
          <Choices
            of={nextEndings}
            value={ending}
            nameOf={(choice) => endings[choice].name}
            onChoose={(choice) => {
              nextEnding.store(choice);
              setEnding(choice);
            }}
          />
          <Menu.Divider />
          <Menu.Label>{words.undoFor}</Menu.Label>
          <Choices
            of={undoChoices}
            value={seconds}
            nameOf={(choice) => (choice === 0 ? words.undoOff : words.undoSeconds(choice))}
            onChoose={(choice) => {
              undoSeconds.store(choice);
              setSeconds(choice);
            }}
          />
        </Menu.Dropdown>
      </Menu>
    </div>
  );
}

interface ChoicesProps<Value> {
  readonly of: readonly Value[];
  readonly value: Value;
  readonly nameOf: (choice: Value) => string;
  readonly onChoose: (choice: Value) => void;
}

/** Items of a menu, one of which is chosen. */
function Choices<Value extends string | number>({ of, value, nameOf, onChoose }: ChoicesProps<Value>) {
  const { chosen } = useDeskWords();
  return of.map((choice) => (
    <Menu.Item
      key={choice}
      {...(choice === value && { rightSection: <Icon of={Check} label={chosen} /> })}
      onClick={() => onChoose(choice)}
    >
      {nameOf(choice)}
    </Menu.Item>
  ));
}
