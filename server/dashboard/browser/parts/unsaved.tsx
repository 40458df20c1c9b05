import { Button } from '@mantine/core';
import { CircleDot } from '../icons.ts';
import { useTexts } from '../texts/texts.tsx';
import { Icon } from './icon.tsx';

/** Stands beside the button that saves while a form has changes. */
export function Unsaved({ onDiscard }: { readonly onDiscard: () => void }) {
  const { texts } = useTexts();
  return (
    <>
      <span className="p-unsaved" role="status">
        <Icon of={CircleDot} size={12} />
        {texts.parts.unsaved}
      </span>
      <Button variant="subtle" color="gray" onClick={onDiscard}>
        {texts.parts.discard}
      </Button>
    </>
  );
}
