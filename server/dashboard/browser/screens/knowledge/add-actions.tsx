import { Button, FileButton, Group, Kbd } from '@mantine/core';
import { type RefObject, useEffect, useRef } from 'react';
import { ClipboardType, Link, Upload } from '../../icons.ts';
import { keySigns } from '../../keys/registry.ts';
import { Icon } from '../../parts/icon.tsx';
import { useTexts } from '../../texts/texts.tsx';

interface AddActionsProps {
  readonly onFiles: (files: readonly File[]) => void;
  readonly onOpen: (add: 'text' | 'page') => void;
  /** Is given what opens the chooser of files. */
  readonly chooseFiles: RefObject<() => void>;
  /** Whether the screen has a primary action of its own. */
  readonly quiet: boolean;
}

/** The three ways to add documents. */
export function AddActions({ onFiles, onOpen, chooseFiles, quiet }: AddActionsProps) {
  const { texts } = useTexts();
  const words = texts.knowledge.add;
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    chooseFiles.current = () => button.current?.click();
  }, [chooseFiles]);
  return (
    <Group gap="sm" wrap="nowrap" className="p-add">
      <Button
        variant="default"
        size="xs"
        leftSection={<Icon of={ClipboardType} />}
        onClick={() => onOpen('text')}
      >
        <span className="p-wide">{words.text}</span>
      </Button>
      <Button variant="default" size="xs" leftSection={<Icon of={Link} />} onClick={() => onOpen('page')}>
        <span className="p-wide">{words.address}</span>
      </Button>
      <FileButton multiple onChange={onFiles} inputProps={{ 'aria-label': words.files }}>
        {({ onClick }) => (
          <Button
            ref={button}
            size="xs"
            variant={quiet ? 'default' : 'filled'}
            leftSection={<Icon of={Upload} />}
            rightSection={<Kbd className="p-wide">{keySigns('n')[0]}</Kbd>}
            onClick={onClick}
          >
            {words.files}
          </Button>
        )}
      </FileButton>
    </Group>
  );
}
