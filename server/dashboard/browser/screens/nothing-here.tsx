import { Button } from '@mantine/core';
import { commandMenu } from '../frame/command/open-menu.ts';
import { Compass } from '../icons.ts';
import { Page } from '../parts/page.tsx';
import { EmptyState } from '../parts/states/empty-state.tsx';
import { useTexts } from '../texts/texts.tsx';

/** An unknown address, and a workspace that the person may not see: the same words for both. */
export function NothingHere() {
  const { texts } = useTexts();
  const { title, text, action } = texts.frame.nothingHere;
  return (
    <Page title={title}>
      <EmptyState
        icon={Compass}
        title={title}
        text={text}
        action={<Button onClick={commandMenu.open}>{action}</Button>}
      />
    </Page>
  );
}
