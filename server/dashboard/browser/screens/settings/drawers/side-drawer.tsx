import { Drawer, Group } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTexts } from '../../../texts/texts.tsx';

interface SideDrawerProps {
  readonly opened: boolean;
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** A form at the end side of a list, which stays in sight. Esc closes it. */
export function SideDrawer({ opened, title, onClose, children }: SideDrawerProps) {
  const { texts } = useTexts();
  return (
    <Drawer.Root
      opened={opened}
      onClose={onClose}
      position="right"
      size={440}
      transitionProps={{ duration: 200 }}
      styles={{ content: { background: 'var(--p-panel)' }, title: { fontWeight: 600, fontSize: 15 } }}
    >
      <Drawer.Overlay backgroundOpacity={0.2} />
      <Drawer.Content>
        {/* Not the header of Drawer, which counts as a second banner of the page. */}
        <Group justify="space-between" wrap="nowrap" p="lg">
          <Drawer.Title>{title}</Drawer.Title>
          <Drawer.CloseButton aria-label={texts.frame.close} />
        </Group>
        <Drawer.Body px="lg">{children}</Drawer.Body>
      </Drawer.Content>
    </Drawer.Root>
  );
}
