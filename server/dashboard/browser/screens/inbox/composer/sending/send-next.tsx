import { ActionIcon, Button, Kbd, Menu } from '@mantine/core';
import { useState } from 'react';
import { Check, ChevronDown } from '../../../../icons.ts';
import { keySigns } from '../../../../keys/registry.ts';
import { Icon } from '../../../../parts/icon.tsx';
import { useTexts } from '../../../../texts/texts.tsx';
import { useDeskWords } from '../../desk-words.ts';
import { readUndoSeconds, storeUndoSeconds, undoChoices } from '../outbox.ts';
import { type Ending, nextEndings, readNextEnding, storeNextEnding } from './endings.ts';

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
  const { endings, endingsLabel, chosen } = useDeskWords();
  const [ending, setEnding] = useState(readNextEnding);
  const [seconds, setSeconds] = useState(readUndoSeconds);
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
          {nextEndings.map((choice) => (
            <Menu.Item
              key={choice}
              {...(choice === ending && { rightSection: <Icon of={Check} label={chosen} /> })}
              onClick={() => {
                storeNextEnding(choice);
                setEnding(choice);
              }}
            >
              {endings[choice].name}
            </Menu.Item>
          ))}
          <Menu.Divider />
          <Menu.Label>{words.undoFor}</Menu.Label>
          {undoChoices.map((choice) => (
            <Menu.Item
              key={choice}
              {...(choice === seconds && { rightSection: <Icon of={Check} label={chosen} /> })}
              onClick={() => {
                storeUndoSeconds(choice);
                setSeconds(choice);
              }}
            >
              {choice === 0 ? words.undoOff : words.undoSeconds(choice)}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
    </div>
  );
}
